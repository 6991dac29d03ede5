import APNSWire
import EyotContract
import EyotDomain

/// Takes a declaration: plans it, stores it with its operation, and marks whom it concerns. One transaction.
package struct Declare {
    /// Devices looked at in one step of planning a start or a scope.
    static let pageSize = 500

    let ledger: any Ledger
    let app: AppID
    let now: Instant

    package init(ledger: any Ledger, app: AppID, now: Instant) {
        self.ledger = ledger
        self.app = app
        self.now = now
    }

    /// - Parameter warnings: what the caller should know though nothing is wrong; kept with the operation.
    /// - Throws: ``EyotError`` where the request cannot be taken; then nothing has changed.
    package func callAsFunction(
        _ request: DeclarationRequest, warnings: [String] = []
    ) throws -> Operation {
        var operation = try perform(request)
        operation.warnings += warnings
        if let id = operation.activity, operation.outcome.isTaken {
            ledger.woken.insert(id)
            guard var activity = try ledger.activity(id) else { throw EyotError.activityUnknown(request.name) }
            if operation.outcome == .unchanged {
                // Somebody has to look: with that the operation is complete.
                activity.wake(at: now)
                try ledger.update(activity)
            }
            if let halt = try ledger.app(app)?.halt(of: activity) {
                operation.warnings.append(halt.warning)
            }
            operation.warnings += try LeaseChannels(ledger: ledger, now: now)(id, request)
        }
        return try ledger.insert(operation)
    }

    private func perform(_ request: DeclarationRequest) throws -> Operation {
        let newest = try newestActivity(named: request.name)
        let current = try newest.flatMap { try ledger.declaration($0.everyone, of: $0.id) }
        switch try request.plan(newest: newest, current: current) {
        case .superseded: return operation(request, newest, .superseded)
        case .unmet: return operation(request, newest, .unmet)
        case .open(let generation):
            var opened = try ledger.insertActivity(
                named: request.name, in: app, generation: generation, type: request.type, at: now)
            // What is halted is the name.
            opened.haltedAt = newest?.haltedAt
            return try declare(request, in: opened, scope: .everyone)
        case .declare(everyone: true):
            guard let newest else { throw EyotError.activityUnknown(request.name) }
            return try declare(request, in: newest, scope: .everyone)
        case .declare(everyone: false):
            guard let newest else { throw EyotError.activityUnknown(request.name) }
            return try declareScoped(request, in: newest)
        case .startMore:
            guard let newest else { throw EyotError.activityUnknown(request.name) }
            return try startMore(request, in: newest)
        case .repeatNewest:
            guard var newest else { throw EyotError.activityUnknown(request.name) }
            let isMoved = newest.plan(request.endsAt)
            var result = operation(request, newest, isMoved ? .applied : .unchanged)
            try start(request, in: &newest, attributesVersion: newest.everyone, isScoped: false, &result)
            if isMoved || result.starting > 0 { try ledger.update(newest) }
            return result
        }
    }

    /// The newest generation of a name, as it stands at this moment: what was to end by now has ended.
    func newestActivity(named name: String) throws -> Activity? {
        guard var newest = try ledger.newestActivity(named: name, in: app) else { return nil }
        if let end = newest.endInTime(at: now) {
            try ledger.insert(end)
            try ledger.update(newest)
            ledger.woken.insert(newest.id)
        }
        return newest
    }

    private func declare(
        _ request: DeclarationRequest, in former: Activity, scope: Declaration.Scope
    ) throws -> Operation {
        var activity = former
        activity.type = activity.type ?? request.type
        _ = activity.plan(request.endsAt)
        let declaration = activity.declare(
            request.verb == .end ? .end : .state, request.content, scope: scope,
            attributes: try request.attributes ?? attributes(of: former), asOf: request.asOf, at: now)
        try ledger.insert(declaration)
        var result = operation(request, activity, .applied)
        try start(request, in: &activity, attributesVersion: declaration.version, isScoped: false, &result)
        try ledger.update(activity)
        return result
    }

    /// Later states keep the attributes of the one before, so that a card can be started from any of them.
    private func attributes(of activity: Activity) throws -> JSONValue? {
        try ledger.declaration(activity.everyone, of: activity.id)?.attributes
    }

    // MARK: Scopes

    private func declareScoped(_ request: DeclarationRequest, in former: Activity) throws -> Operation {
        var activity = former
        let members = try members(of: request, in: activity)
        if members.isEmpty, request.asOf != nil, try !self.members(of: request, in: activity, ignoresTime: true).isEmpty
        {
            return operation(request, activity, .superseded)
        }
        let declaration = activity.declare(
            request.verb == .end ? .end : .state, request.content, scope: .members(count: members.count),
            asOf: request.asOf, at: now)
        try ledger.insert(declaration)
        for var member in members {
            member.take(declaration)
            try ledger.update(member)
        }
        try ledger.update(activity)
        var result = operation(request, activity, .applied)
        result.members = members.count
        return result
    }

    /// The replicas that the scope contains at this moment.
    private func members(
        of request: DeclarationRequest, in activity: Activity, ignoresTime: Bool = false
    ) throws -> [Replica] {
        guard let scope = request.scope else { return [] }
        var members: [Replica] = []
        try forEachDevice(in: scope, field: "scope") { device in
            for replica in try ledger.replicas(of: device.id, named: activity.name, in: app)
            where replica.activity == activity.id && replica.isWithinReach {
                if ignoresTime || !replica.knowsNewer(than: request.asOf, in: activity) { members.append(replica) }
            }
            guard members.count <= Audience.scopeLimit else {
                throw EyotError(
                    .tooManyMembers, "the scope has more than \(Audience.scopeLimit) replicas", field: "scope")
            }
        }
        return members
    }

    // MARK: Starts

    /// The state of a later start concerns only the cards that it starts.
    private func startMore(_ request: DeclarationRequest, in running: Activity) throws -> Operation {
        var former = running
        let isMoved = former.plan(request.endsAt)
        var activity = former
        let declaration = activity.declare(
            .state, request.content, scope: .members(count: 0),
            attributes: try request.attributes ?? attributes(of: former),
            asOf: request.asOf, at: now)
        var result = operation(request, activity, .applied)
        try start(request, in: &activity, attributesVersion: declaration.version, isScoped: true, &result)
        guard result.starting > 0 else {
            if isMoved { try ledger.update(former) }
            var unchanged = operation(request, former, isMoved ? .applied : .unchanged)
            unchanged.skipped = result.skipped
            return unchanged
        }
        var stored = declaration
        stored.scope = .members(count: result.starting)
        try ledger.insert(stored)
        try ledger.update(activity)
        result.members = result.starting
        return result
    }

    /// Keeps a place, with a lease, for every device of the audience that may get a card.
    private func start(
        _ request: DeclarationRequest, in activity: inout Activity, attributesVersion: Int, isScoped: Bool,
        _ result: inout Operation
    ) throws {
        guard let audience = request.audience, let type = activity.type, request.verb != .end else { return }
        let startsAt = request.startsAt ?? now
        let profile = try ProfileReader(ledger)(of: activity)
        var planned = activity
        try forEachDevice(in: audience, field: "audience") { device in
            let existing = try ledger.replicas(of: device.id, named: planned.name, in: app)
                .filter { $0.activity == planned.id }
            if let failure = Replica.startFailure(
                for: device, startToken: try ledger.startToken(of: device.id, type: type), existing: existing,
                startsAt: startsAt, isForced: request.isForced, restartsDismissed: request.restartsDismissed, at: now)
            {
                result.skipped[failure, default: 0] += 1
                return
            }
            guard try hasStartLeft(device, profile, at: startsAt, insteadOf: planned.id) else {
                result.skipped[.tooManyStarts, default: 0] += 1
                return
            }
            for var former in existing where former.phase == .starting {
                former.phase = .notStarted(former.isPlanned(after: now) ? .replanned : .givenUp)
                former.lease = nil
                try ledger.update(former)
            }
            let lease = Lease(
                version: attributesVersion,
                id: APNSID(
                    activity: planned.id, version: attributesVersion, ordinal: planned.nextOrdinal, isStart: true))
            var replica = Replica(
                activity: planned.id, ordinal: planned.nextOrdinal, device: device.id, phase: .starting, lease: lease,
                startsAt: startsAt, createdAt: now)
            if isScoped { replica.scoped = attributesVersion }
            replica.alerted = planned.version
            planned.nextOrdinal += 1
            result.starting += 1
            try ledger.insert(replica)
        }
        if result.starting > 0 {
            planned.wake(at: now)
            if let startsAt = request.startsAt { planned.startsAt = max(planned.startsAt ?? startsAt, startsAt) }
        }
        activity = planned
    }

    /// Whether the phone's budget has room for a start. Those for which this one comes do not count.
    private func hasStartLeft(
        _ device: Device, _ profile: TypeProfile, at moment: Instant, insteadOf activity: ActivityID
    ) throws -> Bool {
        let others = try ledger.remoteStarts(
            of: device.id, after: moment - TypeProfile.startWindow, before: moment + TypeProfile.startWindow,
            limit: TypeProfile.startLimit * 2
        ).filter { $0.activity != activity || !$0.isPlanned(after: now) }
        return profile.allowsStart(among: others)
    }

    /// - Throws: `tooManyMembers`, which undoes what was done for those before.
    private func forEachDevice(
        in audience: Audience, field: String, _ body: (Device) throws -> Void
    ) throws {
        var last = DeviceID(rawValue: 0)
        var count = 0
        while true {
            let page = try ledger.devices(in: audience, of: app, after: last, limit: Self.pageSize)
            count += page.count
            guard count <= Audience.deviceLimit else {
                throw EyotError(.tooManyMembers, "\(field) has more than \(Audience.deviceLimit) devices", field: field)
            }
            for device in page { try body(device) }
            guard let next = page.last?.id, page.count == Self.pageSize else { return }
            last = next
        }
    }

    private func operation(
        _ request: DeclarationRequest, _ activity: Activity?, _ outcome: Operation.Outcome
    ) -> Operation {
        var operation = Operation(
            app: app, verb: request.verb, name: request.name, activity: activity?.id,
            generation: activity?.generation ?? 0, version: activity?.version ?? 0, outcome: outcome, acceptedAt: now)
        if let activity { operation.before = DeliveryCounts(activity.tally) }
        if !outcome.isTaken { operation.completion = OperationCompletion(at: now, after: operation.before) }
        return operation
    }
}
