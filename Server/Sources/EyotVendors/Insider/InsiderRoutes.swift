import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// Routes for Insider's calls for Live Activities.
struct InsiderRoutes {
    /// How many seconds an activity that began on a device is remembered after its end. The end may leave other cards
    /// running.
    private static let phoneFirstLifetime = 7 * 86_400.0

    let backend: Backend

    var routes: [Route] {
        let people = InsiderRegistration(backend: backend)
        return [
            route("register", .activitiesStart, people.register), route("add-users", .activitiesStart, people.add),
            route("remove-users", .activitiesStart, people.remove), route("start", .activitiesStart, start).unrecorded,
            route("update", .activitiesUpdate) { try await change(.update, $0) }.unrecorded,
            route("end", .activitiesUpdate) { try await change(.end, $0) }.unrecorded,
        ]
    }

    private func route(
        _ name: String, _ scope: KeyScope, _ prepare: @escaping @Sendable (Call) async throws -> Route.Command
    ) -> Route {
        .post("/api/v1/live-activity/\(name)", on: InsiderPlane(), .key(scope), prepare)
    }

    // MARK: Start

    /// Starts an activity. A second start is refused, unless its idempotency key marks it as a repetition.
    private func start(_ call: Call) async throws -> Route.Command {
        let content = try InsiderContent(call, .start)
        let app = try call.app.id
        guard let known = try await activity(content, in: app, call) else {
            return Self.unregistered(content.id, app, at: call.now)
        }
        var declaration = content.declaration
        declaration.body.type = known.type
        declaration.body.endsAt = .at(known.endsAt)
        declaration.body.audience =
            content.targets.isEmpty ? .users(known.users) : .devices(try await devices(content, among: known, app))
        let declare = try await declaration.prepare(backend, call)
        return { ledger in
            guard var activity = try ledger.insiderActivity(content.id, in: app), activity.state != .dead else {
                throw EyotError.activityUnknown(content.id)
            }
            guard activity.state == .registered else { throw InsiderFault.alreadyStarted.refusal }
            activity.state = .started
            try ledger.put(activity)
            let declared = try declare(ledger)
            let count = declared.operation.map { $0.starting + $0.pending } ?? 0
            guard count > 0 else {
                var found = InsiderEligibility()
                found.skipped = declared.operation?.skipped ?? [:]
                throw InsiderFault.noEligibleDevice(found).refusal
            }
            return Self.answer(declared, triggered: count)
        }
    }

    private static func unknown(_ id: String) -> Route.Command { { _ in throw EyotError.activityUnknown(id) } }

    /// Refuses to start an activity that was not registered. If its card began on a device, the activity counts as
    /// started.
    private static func unregistered(_ id: String, _ app: AppID, at now: Instant) -> Route.Command {
        { ledger in
            if let newest = try ledger.newestActivity(named: id, in: app), !newest.isEnded,
                try ledger.spokenOfInsiderActivity(id, in: app, at: now)?.state != .dead
            {
                throw InsiderFault.alreadyStarted.refusal
            }
            throw EyotError.activityUnknown(id)
        }
    }

    /// Returns the registered activity, while calls may refer to it.
    private func activity(_ content: InsiderContent, in app: AppID, _ call: Call) async throws -> InsiderActivity? {
        let found = try await backend.store.read {
            try $0.spokenOfInsiderActivity(content.id, in: app, at: call.now)
        }
        guard let found, found.endsAt > call.now, found.state != .dead else { return nil }
        guard found.type == content.type else {
            throw EyotError(.fieldInvalid, "activity_type is \(found.type), as it was registered")
        }
        return found
    }

    /// Returns the devices that a call selects.
    ///
    /// - Parameter activity: nil if devices of any user may be selected.
    private func devices(
        _ content: InsiderContent, among activity: InsiderActivity?, _ app: AppID
    ) async throws -> [DeviceID] {
        let users = activity.map { Set($0.users) }
        return try await backend.store.read { ledger in
            try content.targets.enumerated().map { index, target in
                guard let device = try ledger.device(installation: target.installation, in: app),
                    device.user == target.user, users?.contains(target.user) ?? true
                else {
                    throw EyotError(
                        .fieldInvalid, "target_devices[\(index)] is no device of a person who takes part",
                        field: "target_devices")
                }
                return device.id
            }
        }
    }

    // MARK: Update and end

    private func change(_ verb: DeclarationRequest.Verb, _ call: Call) async throws -> Route.Command {
        let content = try InsiderContent(call, verb)
        let app = try call.app.id
        let record = try await backend.store.read { try $0.spokenOfInsiderActivity(content.id, in: app, at: call.now) }
        guard record?.state != .dead, record.map({ $0.endsAt > call.now }) ?? true else {
            return Self.unknown(content.id)
        }
        let known = try await activity(content, in: app, call)
        if known?.state == .registered { throw InsiderFault.tokensNotSynced.refusal }
        var declaration = content.declaration
        var targets: [DeviceID]?
        if !content.targets.isEmpty {
            let devices = try await devices(content, among: known, app)
            (targets, declaration.body.scope) = (devices, .devices(devices))
        }
        let synced = try await InsiderSync.count(of: content.id, targets, in: app, backend.store)
        guard let synced, synced.type == nil || synced.type == content.type else { return Self.unknown(content.id) }
        // A card without a token shows the state when its token arrives.
        guard synced.synced + synced.notSynced > 0 else { throw InsiderFault.tokensNotSynced.refusal }
        let declare = try await declaration.prepare(backend, call)
        return { ledger in
            let declared = try declare(ledger)
            guard declared.operation != nil else { throw EyotError.activityUnknown(content.id) }
            if verb == .end {
                var over =
                    try ledger.insiderActivity(content.id, in: app)
                    ?? InsiderActivity(
                        app: app, id: content.id, type: content.type, endsAt: call.now + Self.phoneFirstLifetime)
                over.state = .dead
                over.endedGeneration = declared.operation?.generation ?? 0
                over.endsAt = max(over.endsAt, call.now + Self.phoneFirstLifetime)
                try ledger.put(over)
            }
            return Self.answer(declared, triggered: synced.synced, notSynced: synced.notSynced)
        }
    }

    private static func answer(_ declared: VendorDeclared, triggered: Int, notSynced: Int = 0) -> Answer {
        var object = JSONObject([("status", "success"), ("sessions_triggered", .integer(triggered))])
        if notSynced > 0 { object["skipped_not_synced"] = .integer(notSynced) }
        let warnings = declared.remarks
        if !warnings.isEmpty { object["warnings"] = .array(warnings.map(JSONValue.string)) }
        var answer = Answer(.ok, .object(object))
        answer.name(declared.operation)
        return answer
    }
}

extension Ledger {
    /// Returns what Insider's API knows of an id. Nil if it knows nothing, or if the activity is over and a new one of
    /// its name has begun.
    func spokenOfInsiderActivity(_ id: String, in app: AppID, at now: Instant) throws -> InsiderActivity? {
        guard let found = try insiderActivity(id, in: app) else { return nil }
        return found.isRevived(by: try newestActivity(named: id, in: app), at: now) ? nil : found
    }
}

/// How many cards of an activity can be reached.
struct InsiderSync: Sendable {
    var type: String?
    var synced = 0
    /// Cards that have no update token yet. They get the newest state when it arrives.
    var notSynced = 0

    /// How many replicas one transaction reads.
    private static let pageSize = 1_000

    /// Counts the cards of an activity.
    ///
    /// - Parameter targets: the devices that count; nil means all.
    /// - Returns: nil if no activity of this name runs.
    static func count(
        of name: String, _ targets: [DeviceID]?, in app: AppID, _ store: any Store
    ) async throws -> InsiderSync? {
        let found = try await store.read { try $0.newestActivity(named: name, in: app) }
        guard let activity = found, !activity.isEnded else { return nil }
        var sync = InsiderSync(type: activity.type)
        let chosen = targets.map(Set.init)
        var last = 0
        while true {
            let after = last
            let page = try await store.read { try $0.replicas(of: activity.id, after: after, limit: pageSize) }
            for replica in page where chosen?.contains(replica.device) ?? true {
                switch replica.phase {
                case .live: sync.synced += 1
                case .starting, .waitingForToken: sync.notSynced += 1
                case .ended, .dismissed, .dead, .unlisted, .notStarted, .untracked: break
                }
            }
            guard let ordinal = page.last?.ordinal, page.count == pageSize else { return sync }
            last = ordinal
        }
    }
}
