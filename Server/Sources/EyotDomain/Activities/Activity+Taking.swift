import EyotContract

extension Activity {
    /// Makes the next declaration, for everyone.
    package mutating func declare(
        _ kind: Declaration.Kind, _ content: Content, on terms: Canary.Terms? = nil, at now: Instant
    ) -> Declaration {
        declare(Declaration.Draft(kind, content), on: terms, at: now)
    }

    /// Makes the next declaration, and applies it to the activity if it is for everyone.
    ///
    /// The caller stores both. For a scope it also marks the members with ``Replica/take(_:in:)``.
    ///
    /// - Parameter terms: the terms of a canary, used only if the scope is everyone; nil declares for everyone at once.
    package mutating func declare(
        _ draft: Declaration.Draft, on terms: Canary.Terms? = nil, at now: Instant
    ) -> Declaration {
        let (kind, content, scope, asOf) = (draft.kind, draft.content, draft.scope, draft.asOf)
        let former = newestCommon
        version += 1
        if scope != .everyone, kind == .state, let asOf { scopedAsOf = max(scopedAsOf ?? asOf, asOf) }
        if kind == .end, isEnded { firstEnd = firstEnd ?? end }
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
            activity: id, version: version, kind: kind, scope: scope, content: content, attributes: draft.attributes,
            acceptedAt: now, asOf: asOf)
        declaration.follows = former
        return declaration
    }

    /// Records that the declared state was still true at a moment.
    ///
    /// - Returns: whether that is the latest such moment.
    package mutating func confirm(asOf moment: Instant?) -> Bool {
        guard let moment, latestAsOf.map({ moment > $0 }) ?? true else { return false }
        latestAsOf = moment
        return true
    }

    /// Records that it has ended for everyone. Planned starts and a planned end are dropped.
    mutating func close(at now: Instant) {
        endedAt = endedAt ?? now
        endsAt = nil
        startsAt = nil
    }
}

// MARK: - Planned ends

extension Activity {
    /// Sets, moves or lifts the planned end; nil changes nothing.
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

    /// Whether it has ended, or its planned end has come and has not been declared yet.
    package func isOver(at now: Instant) -> Bool { isEnded || endsAt.map { $0 <= now } ?? false }

    /// Declares the planned end if its moment has come; otherwise returns nil. The end is like any other and keeps the
    /// last state. The first transaction that reads the activity makes it, so no caller sees the activity run longer.
    package mutating func endInTime(at now: Instant) -> Declaration? {
        guard !isEnded, let endsAt, isOver(at: now) else { return nil }
        return declare(.end, Content(dismissalDate: dismissesAtEnd ? max(1, endsAt.second) : nil), at: now)
    }
}

// MARK: - Stale states

extension Activity {
    /// Notes that the newest state has passed its stale date, so that iOS shows the cards with it grey.
    ///
    /// - Returns: the version of the state, once; otherwise nil.
    package mutating func goStaleInTime(at now: Instant) -> Version? {
        guard let moment = common.staleAt, moment <= now else { return nil }
        common.staleAt = nil
        return common.state
    }
}

// MARK: - Replicas

extension Replica {
    /// Marks the replica as a member of a declaration's scope, even if something newer has been declared for it. The
    /// first end stands (R5), also if a pending member is marked with it later. A card that has ended takes the newest
    /// further end.
    package mutating func take(_ declaration: Declaration, in activity: Activity) {
        guard declaration.version > closedVersion else { return }
        switch declaration.kind {
        case .state where declaration.version > scopedState || isLater(declaration.asOf):
            scopedState = declaration.version
            scopedAsOf = declaration.asOf
        case .state: break
        case .end:
            let counts =
                switch ending {
                case .replaced, .otherPerson: false
                case _ where phase == .ended: declaration.version > endVersion(in: activity)
                case .declared(let version): declaration.version < version
                case nil: true
                }
            if counts { ending = .declared(version: declaration.version) }
        }
        // A newer alert supersedes this one. It was given already, or is done with.
        guard declaration.content.alert != nil,
            declaration.version > max(activity.common(for: ordinal).alert, scopedAlert)
        else { return }
        scopedAlert = declaration.version
        alertedVersion = min(alertedVersion, declaration.version - 1)
    }

    /// Whether a moment is later than the `asOf` of its newest scoped state. False if either is nil.
    private func isLater(_ moment: Instant?) -> Bool {
        guard let moment, let scopedAsOf else { return false }
        return moment > scopedAsOf
    }

    /// Whether something later than `moment` has been declared for this replica (R14).
    package func knowsNewer(than moment: Instant?, in activity: Activity) -> Bool {
        guard let moment else { return false }
        return [scopedAsOf, activity.latestAsOf].contains { $0.map { $0 > moment } ?? false }
    }

    /// Whether a declaration is for everyone and does not leave this replica out, or is the scoped state or the end
    /// that counts for it.
    package func isConcerned(by declaration: Declaration) -> Bool {
        if declaration.scope == .everyone {
            return declaration.kind == .end || commonState(at: declaration.version) == declaration.version
        }
        return declaration.version == scopedState || ending == .declared(version: declaration.version)
    }

    /// Whether a declaration with a scope can apply to it. A card that has ended can take a further end.
    package func isWithinReach(of kind: Declaration.Kind, in activity: Activity, at now: Instant) -> Bool {
        isWithinReach || kind == .end && mayTakeFurtherEnd(in: activity, at: now)
    }

    /// Whether a state can still apply to it. A suspected start may yet leave when the app is resumed.
    package var isWithinReach: Bool {
        switch phase {
        case .starting, .waitingForToken, .live, .dead, .unlisted, .untracked, .notStarted(.suspected): true
        // A lost start may be made again, with what was declared for it meanwhile.
        case .notStarted: hasLostStart
        case .ended, .dismissed: false
        }
    }
}
