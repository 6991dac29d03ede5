import APNSWire
import EyotContract
import EyotDomain

/// A declaration by a caller: plans it, stores it with its operation, and processes its members. One transaction. Of
/// many members it processes the first, and leaves the others on a list for ``ProcessMembers``.
package struct Declare: UseCase {
    package let transaction: Transaction
    let app: AppID
    /// The members, if they were found before. Otherwise they are found in the transaction.
    let frozen: FrozenMembers?
    /// The phones that are left out, as ``FindConcerned`` has found.
    let leftOut: LeftOut
    let limits: Limits
    /// The key that the call was made with.
    let key: Int64?
    /// The ids of the call; nil if it is none of a caller.
    let request: RequestID?

    /// The limits of one call.
    package struct Limits: Sendable {
        /// Members that the transaction of the call processes.
        package var inlineLimit = MemberList.inlineLimit
        /// The most channels of an app in an environment.
        package var channels = Channel.poolLimit

        package init() {}
    }

    package init(
        _ transaction: Transaction, app: AppID, frozen: FrozenMembers? = nil, leftOut: LeftOut = LeftOut(),
        limits: Limits = Limits(), key: Int64? = nil, request: RequestID? = nil
    ) {
        self.leftOut = leftOut
        (self.key, self.request) = (key, request)
        self.transaction = transaction
        self.app = app
        self.frozen = frozen
        self.limits = limits
    }

    /// Declares a request.
    ///
    /// - Parameter warnings: Warnings for the caller, which are kept with the operation.
    /// - Throws: ``EyotError`` if the request is refused, and ``MembersOutdated``. Then nothing has changed.
    package func callAsFunction(_ request: DeclarationRequest, warnings: [String] = []) throws -> Operation {
        let newest = try newestActivity(named: request.name)
        let current = try current(of: newest)
        var request = request
        let further = try inherit(to: &request, in: newest, from: current)
        return try take(request, in: newest, current: current, warnings: warnings + further)
    }

    /// Carries out a request that is complete.
    ///
    /// - Parameters:
    ///   - newest: The newest generation of its name at this moment.
    ///   - current: The newest common declaration of that generation.
    func take(
        _ request: DeclarationRequest, in newest: Activity?, current: Declaration?, warnings: [String]
    ) throws -> Operation {
        let (performed, waiting, stored) = try perform(request, in: newest, current: current)
        var operation = performed
        operation.warnings += warnings
        if leftOut.count > 0, operation.outcome.isTaken {
            operation.skipped[.schemaMismatch] = leftOut.count
            if let id = operation.activity, request.audience != nil {
                ledger.count(
                    .skipped, StartFailure.schemaMismatch.rawValue, times: leftOut.count,
                    in: transaction.counts(of: id, in: app))
            }
        }
        operation.pending = waiting.reduce(0) { $0 + $1.count }
        if let former = stored, operation.outcome.isTaken {
            ledger.woken.insert(former.id)
            var activity = former
            activity.admit(request)
            activity.declare(type: request.type)
            // The engine must look at the activity to complete the operation, even if the hint is lost.
            if operation.outcome == .unchanged || activity.dueAt.map({ now < $0 }) ?? true { activity.wake(at: now) }
            if activity != former { try ledger.update(activity) }
            // A backend has declared the name, so it no longer counts as opened by phones.
            if newest?.version == 0, newest?.id == former.id, former.version > 0 {
                try ledger.add(AppUsage(openedNames: -1), to: app)
            }
            if let app = try ledger.app(app) {
                operation.warnings += app.warnings(for: activity, at: now)
                operation.warnings += try ReachWarnings(transaction: transaction, app: app, frozen: frozen)(
                    request, operation, in: activity)
            }
            operation.warnings += try LeaseChannels(transaction: transaction, limit: limits.channels)(
                activity, request, leftOut: leftOut)
        }
        operation = try ledger.insert(operation)
        if operation.outcome == .superseded, let newest {
            try transaction.record(Fact(.callLate, reason: operation.verb.rawValue), of: newest)
        }
        ledger.count(.declared(operation.verb, operation.outcome), of: app)
        ledger.count(skipped: operation.skipped, of: app)
        for some in waiting { try keep(some, of: operation) }
        return operation
    }

    private func keep(_ waiting: Waiting, of operation: Operation) throws {
        guard try ledger.memberListCount(of: app, limit: MemberList.listsPerApp) < MemberList.listsPerApp else {
            throw EyotError(
                .tooManyMembersWaiting,
                "\(MemberList.listsPerApp) calls of the app with very many members are still in progress")
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
        case .open(let next):
            // Reports of removed generations are told apart by their numbers.
            let kept = try ledger.keptReports(named: request.name, in: app, limit: 1).first?.generation ?? 0
            let inserted = try ledger.insertActivity(
                named: request.name, in: app, generation: max(next, kept + 1), type: request.type, at: now)
            var opened = inserted
            opened.declare(type: request.type)
            // A halt is of the name, so it goes on in the next generation.
            opened.haltedAt = newest?.haltedAt
            if opened.haltedAt != nil { try transaction.update(opened, from: inserted) }
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
            // A caller with an older `asOf` is late from now on, though nothing is declared (R14).
            let isLater = newest.confirm(asOf: request.asOf)
            var result = operation(request, newest, isMoved ? .applied : .unchanged)
            let waiting = try start(
                request, in: &newest, attributesVersion: newest.declaredState, isScoped: false, &result)
            guard isMoved || isLater || result.starting > 0 || !waiting.isEmpty else { return (result, [], stored) }
            try ledger.update(newest)
            return (result, waiting, newest)
        }
    }

    /// The newest generation of a name at this moment. A planned end that is due has been applied.
    func newestActivity(named name: String) throws -> Activity? {
        guard var newest = try ledger.newestActivity(named: name, in: app) else { return nil }
        if try transaction.end(inTime: &newest) { ledger.woken.insert(newest.id) }
        return newest
    }

    private func declare(
        _ request: DeclarationRequest, in former: Activity, after current: Declaration?
    ) throws -> Outcome {
        try EndForeignPlaces(transaction: transaction, app: app)(former, request)
        var activity = former
        _ = activity.plan(request.endsAt)
        let declaration = activity.declare(
            Declaration.Draft(
                request.verb == .end ? .end : .state, request.content,
                attributes: request.attributes ?? current?.attributes, asOf: request.asOf), on: request.canary, at: now)
        try transaction.insert(declaration, by: request.verb, in: app)
        var result = operation(request, activity, .applied)
        var waiting = try start(
            request, in: &activity, attributesVersion: declaration.version, isScoped: false, &result)
        let withoutPlace = waiting.reduce(0) { $0 + $1.count }
        waiting += try leaveOut(of: declaration, in: &activity, &result)
        if request.canary != nil {
            activity.chooseShare(withoutPlace: withoutPlace)
            try AdvanceCanary(transaction).markShare(of: activity)
        }
        try transaction.update(activity, from: former)
        return (result, waiting, activity)
    }

    /// The newest common state of an activity, including one that a canary tries out. Later states keep its attributes,
    /// so that a card can be started from any of them.
    func current(of activity: Activity?) throws -> Declaration? {
        try activity.flatMap { try ledger.declaration($0.declaredState, of: $0.id) }
    }

    /// The declaration that ended an activity.
    func end(of activity: Activity?) throws -> Declaration? {
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
        (operation.key, operation.request) = (key, self.request)
        (operation.source, operation.asOf) = (request.source, request.asOf)
        if let activity { operation.before = DeliveryCounts(activity.tally) }
        if !outcome.isTaken { operation.completion = OperationCompletion(at: now, after: operation.before) }
        return operation
    }
}
