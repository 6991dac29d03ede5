import EyotContract

extension Activity {
    /// Makes the next declaration and takes it in, as far as it concerns everyone.
    ///
    /// The caller stores both; for a scope it also marks the members, with ``Replica/take(_:in:)``.
    ///
    /// - Parameter terms: on which it is tried out; only what is for everyone is. Nil is for everyone at once.
    package mutating func declare(
        _ kind: Declaration.Kind, _ content: Content, scope: Declaration.Scope = .everyone,
        on terms: Canary.Terms? = nil,
        attributes: JSONValue? = nil,
        asOf: Instant? = nil, at now: Instant
    ) -> Declaration {
        let former = newestForEveryone
        version += 1
        if scope != .everyone, kind == .state, let asOf { scopedAsOf = max(scopedAsOf ?? asOf, asOf) }
        if scope == .everyone {
            if kind == .state { latestAsOf = asOf ?? latestAsOf }
            if let terms {
                tryOut(kind, content, on: terms, asOf: asOf, at: now)
            } else {
                endCanary()
                common.take(kind, version, content, asOf: asOf)
                if kind == .end { close(at: now) }
            }
        }
        wake(at: now)
        var declaration = Declaration(
            activity: id, version: version, kind: kind, scope: scope, content: content, attributes: attributes,
            acceptedAt: now, asOf: asOf)
        declaration.follows = former
        return declaration
    }

    /// Takes in that what is declared was still true at a moment.
    ///
    /// - Returns: whether it is the latest known.
    package mutating func confirm(asOf moment: Instant?) -> Bool {
        guard let moment, latestAsOf.map({ moment > $0 }) ?? true else { return false }
        latestAsOf = moment
        return true
    }

    /// It has ended for everyone: there is nothing left to plan.
    mutating func close(at now: Instant) {
        if endedAt == nil { endedAt = now } else { endReplacedAt = now }
        endsAt = nil
        startsAt = nil
    }
}

// MARK: - Planned ends

extension Activity {
    /// Sets, moves or lifts the planned end; nil leaves it as it is.
    ///
    /// - Returns: whether anything changed.
    package mutating func plan(_ end: PlannedEnd?) -> Bool {
        guard let end else { return false }
        let former = (endsAt, dismissesAtEnd)
        endsAt = end.moment
        if case .dismissing = end { dismissesAtEnd = true } else { dismissesAtEnd = false }
        if let endsAt { wake(at: endsAt) }
        return (endsAt, dismissesAtEnd) != former
    }

    /// Whether it has ended, or was to end by now and nobody has looked at it since.
    package func isOver(at now: Instant) -> Bool { isEnded || endsAt.map { $0 <= now } ?? false }

    /// Ends it where its planned end has come. That is an end like any other, with the last state, made by whoever looks at
    /// the activity first: from that moment on nobody sees it running.
    package mutating func endInTime(at now: Instant) -> Declaration? {
        guard !isEnded, let endsAt, isOver(at: now) else { return nil }
        return declare(.end, Content(dismissalDate: dismissesAtEnd ? max(1, endsAt.second) : nil), at: now)
    }
}

extension Ledger {
    /// Ends an activity whose planned end has come. Part of a transaction.
    ///
    /// - Returns: whether it did.
    @discardableResult
    package func end(inTime activity: inout Activity, at now: Instant) throws -> Bool {
        guard let end = activity.endInTime(at: now) else { return false }
        try insert(end)
        try update(activity)
        try wakeChannels(of: activity.id, at: now)
        return true
    }
}

// MARK: - Replicas

extension Replica {
    /// Takes in a declaration whose scope contains this replica, be it that something newer has been declared for it since. The
    /// end that was declared first stands (R5), also where who waits on lists is told of it later.
    package mutating func take(_ declaration: Declaration, in activity: Activity) {
        guard declaration.version > closedVersion else { return }
        switch declaration.kind {
        case .state where declaration.version > scoped || isLater(declaration.asOf):
            scoped = declaration.version
            scopedAsOf = declaration.asOf
        case .state: break
        case .end:
            let isFirst =
                switch ending {
                case nil: true
                case .declared(let version): declaration.version < version
                case .replaced, .otherPerson: false
                }
            if isFirst { ending = .declared(version: declaration.version) }
        }
        // A newer alert takes the place of this one. An older one has been given, or is done with.
        guard declaration.content.alert != nil,
            declaration.version > max(activity.common(for: ordinal).alert, scopedAlert)
        else { return }
        scopedAlert = declaration.version
        alerted = min(alerted, declaration.version - 1)
    }

    /// Whether something is true of a later moment than its newest scoped state, where both say of which.
    private func isLater(_ moment: Instant?) -> Bool {
        guard let moment, let scopedAsOf else { return false }
        return moment > scopedAsOf
    }

    /// Whether something newer than `moment` is known for this replica already (R14).
    package func knowsNewer(than moment: Instant?, in activity: Activity) -> Bool {
        guard let moment else { return false }
        return [scopedAsOf, activity.latestAsOf].contains { $0.map { $0 > moment } ?? false }
    }

    /// Whether a declaration is for everyone, or the newest one of its kind that is for this replica.
    package func isConcerned(by declaration: Declaration) -> Bool {
        declaration.scope == .everyone || declaration.version == scoped
            || ending == .declared(version: declaration.version)
    }

    /// Whether a scope can still concern it. A start that waits for its app to be mended may yet leave.
    package var isWithinReach: Bool {
        switch phase {
        case .starting, .waitingForToken, .live, .dead, .unlisted, .untracked, .notStarted(.suspected): true
        case .ended, .dismissed, .notStarted: false
        }
    }
}
