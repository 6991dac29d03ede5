import EyotDomain

/// The members of scopes, and the devices that a start gives cards.
extension Declare {
    /// The operation of a request, its pending members, and the activity as stored. The activity is nil if nothing was
    /// declared.
    typealias Outcome = (operation: Operation, waiting: [Waiting], activity: Activity?)

    /// Members that are pending when the transaction has processed the first ones.
    struct Waiting {
        var list: MemberList
        var members: [MemberRuns]
        var count: Int
    }

    // MARK: Scopes

    func declareScoped(_ request: DeclarationRequest, in former: Activity) throws -> Outcome {
        var activity = former
        let found = try members(inScopeOf: request, of: activity)
        if try isLate(request, for: found, in: activity) { return (operation(request, activity, .superseded), [], nil) }
        let content = try content(of: request, for: found, in: activity)
        let declaration = activity.declare(
            Declaration.Draft(
                request.verb == .end ? .end : .state, content, scope: .members(count: found.inScope),
                asOf: request.asOf), at: now)
        try transaction.insert(declaration, by: request.verb, in: app)
        var result = operation(request, activity, .applied)
        result.members = found.inScope
        let waiting = try process(scope: found, of: declaration, in: &activity, &result)
        try ledger.update(activity)
        return (result, waiting, activity)
    }

    /// Leaves cards out of a declaration for everyone, because their builds cannot decode it.
    func leaveOut(
        of declaration: Declaration, in activity: inout Activity, _ result: inout Operation
    ) throws -> [Waiting] {
        guard let cards = leftOut.cards, cards.inScope > 0 else { return [] }
        guard cards.activity == activity.id else { throw MembersOutdated() }
        return try process(scope: cards, of: declaration, in: &activity, &result)
    }

    private func process(
        scope found: FrozenMembers, of declaration: Declaration, in activity: inout Activity, _ result: inout Operation
    ) throws -> [Waiting] {
        var waiting = try process(found.replicas, .scope, in: &activity, version: declaration.version, &result)
        waiting += try process(
            found.pendingStarts, .pendingStarts(first: found.nextOrdinal), in: &activity, version: declaration.version,
            &result)
        activity.pendingScopes += waiting.count
        return waiting
    }

    /// The members in scope of a request.
    ///
    /// - Throws: ``MembersOutdated`` if they must be found again. A long search in the transaction would block other
    ///   writers.
    private func members(inScopeOf request: DeclarationRequest, of activity: Activity) throws -> FrozenMembers {
        guard let frozen else { return try freeze(request) }
        guard frozen.activity == activity.id else { throw MembersOutdated() }
        return frozen
    }

    /// Whether all of a few members have something newer. Many members are not checked here, but when they are
    /// processed.
    private func isLate(
        _ request: DeclarationRequest, for members: FrozenMembers, in activity: Activity
    ) throws -> Bool {
        guard request.verb != .end, request.asOf != nil, members.replicas.others.isEmpty,
            members.pendingStarts.count == 0
        else { return false }
        var isLate = false
        for member in members.replicas.first {
            guard let replica = try ledger.replica(Int(member), of: activity.id), replica.isWithinReach else {
                continue
            }
            guard replica.knowsNewer(than: request.asOf, in: activity) else { return false }
            isLate = true
        }
        return isLate
    }

    // MARK: Starts

    /// Starts further cards. The state of a later start applies only to the cards that it starts.
    func startMore(
        _ request: DeclarationRequest, in running: Activity, stored: Activity, after current: Declaration?
    ) throws -> Outcome {
        var former = running
        let isMoved = former.plan(request.endsAt)
        var activity = former
        var declaration = activity.declare(
            Declaration.Draft(
                .state, request.content, scope: .members(count: 0),
                attributes: request.attributes ?? current?.attributes, asOf: request.asOf), at: now)
        var result = operation(request, activity, .applied)
        let waiting = try start(
            request, in: &activity, attributesVersion: declaration.version, isScoped: true, &result)
        let startsSome = result.starting > 0 || !waiting.isEmpty || request.live != nil
        // The moment of a state that no card shows makes no caller late.
        if !startsSome { activity.scopedAsOf = former.scopedAsOf }
        guard startsSome || !request.repeats(current) else {
            if isMoved { try ledger.update(former) }
            var unchanged = operation(request, former, isMoved ? .applied : .unchanged)
            unchanged.skipped = result.skipped
            return (unchanged, [], isMoved ? former : stored)
        }
        let count = result.starting + waiting.reduce(0) { $0 + $1.count }
        declaration.scope = .members(count: count)
        try transaction.insert(declaration, by: request.verb, in: app)
        try ledger.update(activity)
        result.members = count
        return (result, waiting, activity)
    }

    /// Reserves places for the devices of the audience that may get a card.
    func start(
        _ request: DeclarationRequest, in activity: inout Activity, attributesVersion: Int, isScoped: Bool,
        _ result: inout Operation
    ) throws -> [Waiting] {
        guard request.audience != nil, activity.type != nil, request.verb != .end else { return [] }
        let found = try frozen ?? freeze(request)
        // A private start is compared with changes of person (R12), also the first one, which makes it private.
        activity.admit(request)
        var terms = StartTerms(
            attributesVersion: attributesVersion, isScoped: isScoped,
            alerted: isScoped ? activity.version(for: activity.nextOrdinal) : activity.version,
            startsAt: request.startsAt ?? now, isForced: request.isForced,
            restartsDismissed: request.restartsDismissed)
        terms.asOf = request.asOf
        if let live = request.live { try keep(live, on: terms, of: activity) }
        let waiting = try process(
            found.devices, .start(terms), of: found.personNumber, in: &activity, version: activity.version, &result)
        if result.starting > 0 || !waiting.isEmpty || request.live != nil {
            try requireAlert(of: request, attributesVersion, in: activity)
        }
        if result.starting > 0 || !waiting.isEmpty {
            activity.wake(at: now)
            if let startsAt = request.startsAt {
                activity.startsAt = max(activity.startsAt ?? startsAt, startsAt)
            }
        }
        return waiting
    }

    /// Processes the first members.
    ///
    /// - Parameter personNumber: The number of changes of person when the devices of a start were found.
    /// - Returns: The pending members, if there are any.
    private func process(
        _ members: FrozenMembers.Group, _ purpose: MemberList.Purpose, of personNumber: Int = 0,
        in activity: inout Activity, version: Version, _ result: inout Operation
    ) throws -> [Waiting] {
        var list = MemberList(
            app: app, activity: activity.id, version: version, operation: 0, purpose: purpose, acceptedAt: now,
            personNumber: personNumber)
        list.processed = members.first.last ?? 0
        _ = try ProcessMembers(transaction).process(members.first, of: list, in: &activity, &result)
        guard !members.others.isEmpty else { return [] }
        return [Waiting(list: list, members: members.others, count: members.left)]
    }

    /// Keeps the audience open. An audience that is declared again continues under the terms of the newest call, so a
    /// repeated `PUT` does not open one for each state.
    private func keep(_ live: LiveAudience.Terms, on terms: StartTerms, of activity: Activity) throws {
        var audience = LiveAudience(app: app, activity: activity.id, asked: live, start: terms)
        var open = 0
        for other in try ledger.liveAudiences(of: app, limit: LiveAudience.perApp) {
            if other.isAsked(again: audience) {
                audience.resume(from: other)
                try ledger.remove(other)
            } else if try ledger.activity(other.activity)?.isEnded ?? true {
                try ledger.remove(other)
            } else {
                open += 1
            }
        }
        guard open < LiveAudience.perApp else {
            throw EyotError(
                .tooManyLiveAudiences, "the app already has \(LiveAudience.perApp) live audiences", field: "live")
        }
        try ledger.put(audience)
    }

    private func freeze(_ request: DeclarationRequest) throws -> FrozenMembers {
        try FreezeMembers(transaction, app: app, inlineLimit: limits.inlineLimit)(request)
    }
}
