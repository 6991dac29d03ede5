import EyotContract
import EyotDomain

/// The rows as plain values: the reference that the SQL is held against, and what the scenarios run on without I/O.
package final class MemoryLedger: Ledger {
    package var woken: Set<ActivityID> = []
    private var apps: [AppID: App] = [:]
    private var devices: [Device] = []
    private var users: [String: User] = [:]
    private var startTokens: [StartTokenKey: StartToken] = [:]
    private var activities: [Activity] = []
    private var declarations: [ActivityID: [Int: Declaration]] = [:]
    private var replicas: [ActivityID: [Replica]] = [:]
    private var operations: [Operation] = []

    private struct StartTokenKey: Hashable {
        var device: DeviceID
        var type: String
    }

    package init() {}

    package func insert(_ app: App) { apps[app.id] = app }

    package func insertDevice(_ make: (DeviceID) -> Device) -> Device {
        let device = make(DeviceID(rawValue: Int64(devices.count + 1)))
        devices.append(device)
        return device
    }

    // MARK: Apps

    package func app(_ id: AppID) -> App? { apps[id] }
    package func update(_ app: App) { apps[app.id] = app }

    // MARK: Devices

    package func device(_ id: DeviceID) -> Device? { devices.first { $0.id == id } }

    package func update(_ device: Device) {
        guard let index = devices.firstIndex(where: { $0.id == device.id }) else { return }
        devices[index] = device
    }

    package func startToken(of device: DeviceID, type: String) -> StartToken? {
        startTokens[StartTokenKey(device: device, type: type)]
    }

    package func put(_ token: StartToken, in app: AppID) {
        for (key, other) in startTokens
        where other.token == token.token && other.device != token.device && self.device(other.device)?.app == app {
            startTokens[key] = nil
        }
        startTokens[StartTokenKey(device: token.device, type: token.type)] = token
    }

    package func removeStartToken(of device: DeviceID, type: String) {
        startTokens[StartTokenKey(device: device, type: type)] = nil
    }

    package func user(_ externalID: String, in app: AppID) -> User? { users[externalID].flatMap { $0.app == app ? $0 : nil } }
    package func put(_ user: User) { users[user.externalID] = user }

    package func devices(in audience: Audience, of app: AppID, after id: DeviceID, limit: Int) -> [Device] {
        Array(
            devices.lazy.filter { device in
                device.app == app && device.id.rawValue > id.rawValue
                    && audience.contains(device, tags: device.user.flatMap { self.users[$0]?.tags } ?? [])
            }.prefix(limit))
    }

    // MARK: Activities

    package func activity(_ id: ActivityID) -> Activity? { activities.first { $0.id == id } }

    package func newestActivity(named name: String, in app: AppID) -> Activity? {
        activities.last { $0.name == name && $0.app == app }
    }

    package func insertActivity(
        named name: String, in app: AppID, generation: Int, type: String?, at now: Instant
    ) -> Activity {
        let activity = Activity(
            id: ActivityID(rawValue: Int64(activities.count + 1)), app: app, name: name, generation: generation,
            type: type, createdAt: now)
        activities.append(activity)
        return activity
    }

    package func update(_ activity: Activity) {
        guard let index = activities.firstIndex(where: { $0.id == activity.id }) else { return }
        activities[index] = activity
    }

    package func insert(_ declaration: Declaration) {
        declarations[declaration.activity, default: [:]][declaration.version] = declaration
    }

    package func declaration(_ version: Int, of activity: ActivityID) -> Declaration? {
        declarations[activity]?[version]
    }

    package func insert(_ operation: Operation) -> Operation {
        var stored = operation
        stored.id = Int64(operations.count + 1)
        operations.append(stored)
        return stored
    }

    package func operation(_ id: Int64, in app: AppID) -> Operation? {
        operations.first { $0.id == id && $0.app == app }
    }

    package func operation(idempotencyKey: String, in app: AppID) -> Operation? {
        operations.last { $0.idempotency?.key == idempotencyKey && $0.app == app }
    }

    // MARK: Replicas

    package func insert(_ replica: Replica) { replicas[replica.activity, default: []].append(replica) }

    package func update(_ replica: Replica) { replicas[replica.activity]?[replica.ordinal - 1] = replica }

    package func replica(_ ordinal: Int, of activity: ActivityID) -> Replica? {
        replicas[activity]?.first { $0.ordinal == ordinal }
    }

    package func replicas(of activity: ActivityID, after ordinal: Int, limit: Int) -> [Replica] {
        Array((replicas[activity] ?? []).lazy.filter { $0.ordinal > ordinal }.prefix(limit))
    }

    package func replicas(of device: DeviceID, named name: String, in app: AppID) -> [Replica] {
        activities.filter { $0.name == name && $0.app == app }.sorted { $0.generation > $1.generation }
            .flatMap { activity in (replicas[activity.id] ?? []).filter { $0.device == device } }
    }

    package func runningReplicas(of device: DeviceID, type: String, in app: AppID) -> [Replica] {
        activities.filter { $0.type == type && $0.app == app }.flatMap { activity in
            (replicas[activity.id] ?? []).filter {
                $0.device == device && [.live, .waitingForToken, .starting].contains($0.phase)
            }
        }
    }

    package func replica(ofInstance instance: String, on device: DeviceID) -> Replica? {
        replicas.values.joined().first { $0.device == device && $0.instance == instance }
    }

    package func suspectReplicas(in app: AppID, limit: Int) -> [Replica] {
        let isSuspect = { (replica: Replica) in
            if case .dead(let death) = replica.phase, death.isQuarantine { return true }
            return replica.token?.probing == true || replica.lease?.probing == true
        }
        return activities.filter { $0.app == app }.flatMap { (replicas[$0.id] ?? []).filter(isSuspect) }
            .prefix(limit).map(\.self)
    }

    package func suspectStartTokens(in app: AppID, limit: Int) -> [StartToken] {
        startTokens.values.filter { $0.death?.isQuarantine == true && device($0.device)?.app == app }
            .prefix(limit).map(\.self)
    }

    package func unansweredStarts(limit: Int) -> [Replica] {
        activities.flatMap { (replicas[$0.id] ?? []).filter { $0.lease?.state == .sent } }.prefix(limit).map(\.self)
    }

    // MARK: The engine's work

    package func dueActivities(at now: Instant, limit: Int) -> [ActivityID] {
        due().filter { $0.1 <= now }.sorted { $0.1 < $1.1 }.prefix(limit).map(\.0)
    }

    package func nextDue(after now: Instant) -> Instant? { due().map(\.1).filter { $0 > now }.min() }

    private func due() -> [(ActivityID, Instant)] {
        activities.compactMap { activity in
            guard apps[activity.app]?.pause == nil, let dueAt = activity.dueAt else { return nil }
            return (activity.id, dueAt)
        }
    }
}
