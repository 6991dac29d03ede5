import APNSWire
import EyotContract
import EyotDomain

/// Takes a declaration: plans it, stores it with its operation, and tells whom it concerns. One transaction; where they are
/// many it tells the first of them and leaves a list of the others, for ``ProcessMembers``.
package struct Declare {
    let ledger: any Ledger
    let app: AppID
    let now: Instant
    /// Whom it concerns, where that was found before; else it is found in the transaction.
    let frozen: FrozenMembers?
    let limits: Limits
    /// The key that asks for it.
    let key: Int64?

    /// What bounds one call.
    package struct Limits: Sendable {
        /// Members that its transaction tells.
        package var inlineLimit = MemberList.inlineLimit
        /// The most channels of an app in an environment.
        package var channels = Channel.poolLimit

        package init() {}
    }

    package init(
        ledger: any Ledger, app: AppID, now: Instant, frozen: FrozenMembers? = nil, limits: Limits = Limits(),
        key: Int64? = nil
    ) {
        self.key = key
        self.ledger = ledger
        self.app = app
        self.now = now
        self.frozen = frozen
        self.limits = limits
    }

    /// - Parameter warnings: what the caller should know though nothing is wrong; kept with the operation.
    /// - Throws: ``EyotError`` where the request cannot be taken, and ``MembersOutdated``; then nothing has changed.
    package func callAsFunction(
        _ request: DeclarationRequest, warnings: [String] = [], leftOut: LeftOut = LeftOut()
    ) throws -> Operation {
        let newest = try newestActivity(named: request.name)
        let current = try current(of: newest)
        var request = request
        let further = try inherit(to: &request, in: newest, from: current)
        return try take(request, in: newest, current: current, warnings: warnings + further, leftOut: leftOut)
    }

    /// - Parameters:
    ///   - newest: the newest generation of its name, as it stands at this moment.
    ///   - current: what that has declared for everyone.
    func take(
        _ request: DeclarationRequest, in newest: Activity?, current: Declaration?, warnings: [String],
        leftOut: LeftOut
    ) throws -> Operation {
        let (performed, waiting, stored) = try perform(request, in: newest, current: current)
        var operation = performed
        operation.warnings += warnings
        if leftOut.count > 0, operation.outcome.isTaken { operation.skipped[.schemaMismatch] = leftOut.count }
        operation.pending = waiting.reduce(0) { $0 + $1.count }
        if let former = stored, operation.outcome.isTaken {
            ledger.woken.insert(former.id)
            var activity = former
            activity.admit(request)
            activity.declare(type: request.type)
            // Somebody has to look, whatever becomes of the hint: with that the operation is complete.
            if operation.outcome == .unchanged || activity.dueAt.map({ now < $0 }) ?? true { activity.wake(at: now) }
            if activity != former { try ledger.update(activity) }
            // Its name is not one that only phones have named any more.
            if newest?.version == 0, newest?.id == former.id, former.version > 0 {
                try ledger.add(AppUsage(openedNames: -1), to: app)
            }
            if let app = try ledger.app(app) {
                operation.warnings += app.warnings(for: activity)
                operation.warnings += try ReachWarnings(ledger: ledger, app: app, now: now, frozen: frozen)(
                    request, operation, in: activity)
            }
            operation.warnings += try LeaseChannels(ledger: ledger, now: now, limit: limits.channels)(
                activity, request, leftOut: leftOut)
        }
        operation = try ledger.insert(operation)
        for some in waiting { try keep(some, of: operation) }
        return operation
    }

    private func keep(_ waiting: Waiting, of operation: Operation) throws {
        guard try ledger.memberListCount(of: app, limit: MemberList.listsPerApp) < MemberList.listsPerApp else {
            throw EyotError(
                .tooManyMembersWaiting, "\(MemberList.listsPerApp) calls with very many members are still under way")
        }
        var list = waiting.list
        list.operation = operation.id
        _ = try ledger.insert(list, members: waiting.members)
    }

    private func plan(
        _ request: DeclarationRequest, in stored: Activity?, current: Declaration?
    ) throws -> DeclarationPlan {
        do {
            return try request.plan(newest: stored, current: current, end: end(of: stored), at: now)
        } catch let error as EyotError where error.code == .activityUnknown {
            throw try ledger.unknownActivity(request.name, in: app)
        }
    }

    private func perform(
        _ request: DeclarationRequest, in stored: Activity?, current: Declaration?
    ) throws -> Outcome {
        let plan = try plan(request, in: stored, current: current)
        var newest = stored
        newest?.declare(type: request.type)
        switch plan {
        case .superseded: return (operation(request, newest, .superseded), [], nil)
        case .unmet: return (operation(request, newest, .unmet), [], nil)
        case .repeatEnd: return (operation(request, newest, .unchanged), [], stored)
        case .open(let generation):
            var opened = try ledger.insertActivity(
                named: request.name, in: app, generation: generation, type: request.type, at: now)
            opened.declare(type: request.type)
            // What is halted is the name.
            opened.haltedAt = newest?.haltedAt
            return try declare(request, in: opened, after: nil)
        case .declare(everyone: true):
            guard let newest else { throw EyotError.activityUnknown(request.name) }
            return try declare(request, in: newest, after: current)
        case .declare(everyone: false):
            guard let newest else { throw EyotError.activityUnknown(request.name) }
            return try declareScoped(request, in: newest)
        case .startMore:
            guard let newest, let stored else { throw EyotError.activityUnknown(request.name) }
            return try startMore(request, in: newest, stored: stored, after: current)
        case .repeatNewest:
            guard var newest else { throw EyotError.activityUnknown(request.name) }
            let isMoved = newest.plan(request.endsAt)
            // Who knows less is late from now on, though nothing is declared (R14).
            let isLater = newest.confirm(asOf: request.asOf)
            var result = operation(request, newest, isMoved ? .applied : .unchanged)
            let waiting = try start(
                request, in: &newest, attributesVersion: newest.declaredState, isScoped: false, &result)
            guard isMoved || isLater || result.starting > 0 || !waiting.isEmpty else { return (result, [], stored) }
            try ledger.update(newest)
            return (result, waiting, newest)
        }
    }

    /// The newest generation of a name, as it stands at this moment: what was to end by now has ended.
    func newestActivity(named name: String) throws -> Activity? {
        guard var newest = try ledger.newestActivity(named: name, in: app) else { return nil }
        if try ledger.end(inTime: &newest, at: now) { ledger.woken.insert(newest.id) }
        return newest
    }

    private func declare(
        _ request: DeclarationRequest, in former: Activity, after current: Declaration?
    ) throws -> Outcome {
        try EndForeignPlaces(ledger: ledger, app: app, now: now)(former, request)
        var activity = former
        _ = activity.plan(request.endsAt)
        let declaration = activity.declare(
            request.verb == .end ? .end : .state, request.content, on: request.canary,
            attributes: request.attributes ?? current?.attributes, asOf: request.asOf, at: now)
        try ledger.insert(declaration)
        var result = operation(request, activity, .applied)
        let waiting = try start(
            request, in: &activity, attributesVersion: declaration.version, isScoped: false, &result)
        if request.canary != nil {
            activity.chooseShare(withoutPlace: waiting.reduce(0) { $0 + $1.count })
            try AdvanceCanary(ledger: ledger, now: now).markShare(of: activity)
        }
        try ledger.update(activity)
        return (result, waiting, activity)
    }

    /// What an activity has declared for everyone. Later states keep its attributes, so that a card can be started from any of them.
    func current(of activity: Activity?) throws -> Declaration? {
        try activity.flatMap { try ledger.declaration($0.declaredState, of: $0.id) }
    }

    /// The declaration that ended an activity.
    private func end(of activity: Activity?) throws -> Declaration? {
        try activity.flatMap { activity in
            try activity.end.flatMap { try ledger.declaration($0, of: activity.id) }
        }
    }

    func operation(
        _ request: DeclarationRequest, _ activity: Activity?, _ outcome: Operation.Outcome
    ) -> Operation {
        var operation = Operation(
            app: app, verb: request.verb, name: request.name, activity: activity?.id,
            generation: activity?.generation ?? 0, version: activity?.version ?? 0, outcome: outcome, acceptedAt: now)
        (operation.key, operation.source, operation.asOf) = (key, request.source, request.asOf)
        if let activity { operation.before = DeliveryCounts(activity.tally) }
        if !outcome.isTaken { operation.completion = OperationCompletion(at: now, after: operation.before) }
        return operation
    }
}
