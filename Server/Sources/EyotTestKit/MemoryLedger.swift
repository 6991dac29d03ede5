import EyotContract
import EyotDomain

/// A ledger of plain values. It is the reference for the SQL, and the scenarios run on it without I/O.
package final class MemoryLedger: Ledger {
    package var woken: Set<ActivityID> = []
    /// No observer of a store in memory reads it.
    package var occurrences: [Occurrence: Int] = [:]
    package var traced: [TracedOperation] = []
    package var counted = CountChanges()
    var appRows: [AppID: App] = [:]
    var devices: [Device] = []
    var apnsKeyRows: [APNSKey] = []
    var profiles: [AppID: [String: TypeProfile]] = [:]
    private var apiKeyRows: [APIKey] = []
    private var newestKeyID: Int64 = 0
    var secrets: [SecretHash: DeviceID] = [:]
    var users: [UserKey: User] = [:]
    private var deviceProfiles: [DeviceID: DeviceProfile] = [:]
    private var deviceTraits: [DeviceID: Traits] = [:]
    var usedProofs: [AppID: [SecretHash: (device: DeviceID, until: Instant)]] = [:]
    var usages: [AppID: AppUsage] = [:]
    var formerAppKeyRows: [FormerAppKey] = []
    var backendNames: [AppID: [TraitName: BackendName]] = [:]
    var segments: [Segment] = []
    var liveAudiences: [LiveAudience] = []
    var changedDevices: [DeviceID] = []
    var startTokens: [StartTokenKey: StartToken] = [:]
    var activities: [Activity] = []
    var declarations: [ActivityID: [Int: Declaration]] = [:]
    var replicas: [ActivityID: [Replica]] = [:]
    var operations: [Operation] = []
    var arrivals: [Arrival] = []
    /// Oldest first.
    var eventRows: [Event] = []
    var newestEventID: Int64 = 0
    var acceptanceRows: [Acceptances] = []
    var echoes: [ActivityID: [Int: Echo]] = [:]
    var webhookRows: [Webhook] = []
    var newestWebhookID: Int64 = 0
    /// In order of webhooks and events.
    var webhookDeliveries: [WebhookDelivery] = []
    var countRows: [CountKey: Int] = [:]
    var spanRows: [CountPlace: SpanNumbers] = [:]
    var reportRows: [KeptReport] = []
    var keptTypes: [AppID: [String]] = [:]
    /// The cards of which Apple has accepted an update, by page.
    var updatedCards: [ActivityID: [Int: RingSlots]] = [:]
    var alertMarkRows: [AlertMark.Key: AlertMark] = [:]
    var personNumbers: [AppID: Int] = [:]
    var historyRows: [History] = []
    var watchedRows: Set<WatchedActivity> = []
    var panel = MemoryPanel()
    var memberLists: [MemberList] = []
    var memberChunks: [Int64: [MemberRuns]] = [:]
    /// The newest ids of apps, devices, activities, operations, arrivals and member lists. An id is never given twice.
    var newestIDs = (
        app: Int64(0), device: Int64(0), activity: Int64(0), operation: Int64(0), arrival: Int64(0), list: Int64(0)
    )
    /// The answered requests, oldest first.
    var answered: [AnsweredRequest] = []
    var ringPages: [ActivityID: [Int: RingPage]] = [:]
    var channels: [Channel] = []
    var leaseRows: [Int: NodeLease] = [:]
    var nodeRows: [NodeID: NodeRecord] = [:]
    var sourceRows: [LimitedSource: Instant] = [:]
    var tokenRows: [String: SharedToken] = [:]
    var auditRows: [AuditEntry] = []
    var accessRows: [AccessEntry] = []
    var identityKeyRows: [IdentityKey] = []
    var identityFailureRows: [IdentityFailure] = []
    var schemas: [TypeSchema] = []
    var vendorRecords: [VendorRecord] = []
    var activityBuilds: [ActivityID: Set<String>] = [:]
    var definitions: [Definition] = []
    var testDevices: [TestDevice] = []
    var joinSecrets: [ActivityID: KeptJoinSecret] = [:]
    /// For each replica, the count from which its page's credit holds; 0 outside the ring.
    var joined: [ActivityID: [Int]] = [:]

    struct StartTokenKey: Hashable {
        var device: DeviceID
        var type: String
    }

    struct UserKey: Hashable {
        var app: AppID
        var externalID: String
    }

    package init() {}

    /// Returns an independent ledger with the same rows.
    package func copy() -> MemoryLedger {
        let copy = MemoryLedger()
        (copy.woken, copy.counted) = (woken, counted)
        copy.appRows = appRows
        copy.devices = devices
        copy.apnsKeyRows = apnsKeyRows
        copy.profiles = profiles
        copy.apiKeyRows = apiKeyRows
        copy.newestKeyID = newestKeyID
        copy.secrets = secrets
        copy.users = users
        copy.deviceProfiles = deviceProfiles
        copy.deviceTraits = deviceTraits
        copy.usedProofs = usedProofs
        copy.usages = usages
        copy.formerAppKeyRows = formerAppKeyRows
        copy.backendNames = backendNames
        copy.segments = segments
        copy.liveAudiences = liveAudiences
        copy.changedDevices = changedDevices
        copy.startTokens = startTokens
        copy.activities = activities
        copy.declarations = declarations
        copy.replicas = replicas
        copy.operations = operations
        copy.arrivals = arrivals
        (copy.eventRows, copy.newestEventID, copy.echoes) = (eventRows, newestEventID, echoes)
        copy.acceptanceRows = acceptanceRows
        (copy.webhookRows, copy.newestWebhookID) = (webhookRows, newestWebhookID)
        copy.webhookDeliveries = webhookDeliveries
        (copy.countRows, copy.spanRows) = (countRows, spanRows)
        (copy.reportRows, copy.keptTypes) = (reportRows, keptTypes)
        (copy.watchedRows, copy.panel, copy.updatedCards) = (watchedRows, panel, updatedCards)
        (copy.alertMarkRows, copy.personNumbers, copy.historyRows) = (alertMarkRows, personNumbers, historyRows)
        copy.memberLists = memberLists
        copy.memberChunks = memberChunks
        copy.newestIDs = newestIDs
        copy.answered = answered
        copy.ringPages = ringPages
        copy.joined = joined
        copy.channels = channels
        (copy.leaseRows, copy.nodeRows) = (leaseRows, nodeRows)
        (copy.sourceRows, copy.tokenRows) = (sourceRows, tokenRows)
        copy.auditRows = auditRows
        copy.accessRows = accessRows
        copy.identityKeyRows = identityKeyRows
        copy.identityFailureRows = identityFailureRows
        copy.schemas = schemas
        copy.vendorRecords = vendorRecords
        copy.activityBuilds = activityBuilds
        copy.definitions = definitions
        copy.testDevices = testDevices
        copy.joinSecrets = joinSecrets
        return copy
    }

    // MARK: Apps

    package func app(_ id: AppID) -> App? { appRows[id] }
    package func app(bundleID: String) -> App? { apps().first { $0.bundleID == bundleID } }
    package func app(publicKey: String) -> App? { apps().first { $0.publicKey == publicKey } }
    package func apps() -> [App] { allApps.filter { $0.removedAt == nil } }
    var allApps: [App] { appRows.values.sorted { $0.id.rawValue < $1.id.rawValue } }

    package func insertApp(bundleID: String, name: String, publicKey: String, at now: Instant) -> App {
        newestIDs.app += 1
        let app = App(
            id: AppID(rawValue: newestIDs.app), bundleID: bundleID, name: name, publicKey: publicKey,
            createdAt: now)
        appRows[app.id] = app
        return app
    }

    package func update(unrecorded app: App) { appRows[app.id] = app }

    package func put(_ key: APNSKey) {
        apnsKeyRows.removeAll { $0.app == key.app && $0.environment == key.environment }
        apnsKeyRows.append(key)
    }

    package func removeAPNSKey(of app: AppID, _ environment: PushEnvironment) {
        apnsKeyRows.removeAll { $0.app == app && $0.environment == environment }
    }

    package func apnsKeys(of app: AppID) -> [APNSKey] { apnsKeyRows.filter { $0.app == app } }

    package func profile(of type: String, in app: AppID) -> TypeProfile? { profiles[app]?[type] }

    package func put(_ profile: TypeProfile) { profiles[profile.app, default: [:]][profile.type] = profile }

    package func insert(_ key: APIKey) -> APIKey {
        var stored = key
        newestKeyID += 1
        stored.id = newestKeyID
        apiKeyRows.append(stored)
        return stored
    }

    package func apiKey(hash: SecretHash) -> APIKey? { apiKeyRows.first { $0.hash == hash } }
    package func apiKey(_ id: Int64) -> APIKey? { apiKeyRows.first { $0.id == id } }
    package func apiKeys(of plane: KeyPlane, identifier: String, limit: Int) -> [APIKey] {
        let keys = apiKeyRows.filter { $0.plane == plane && $0.identifier == identifier && $0.publicKey != nil }
            .filter { $0.revokedAt == nil }
        return Array(keys.reversed().prefix(limit))
    }
    package func hasKeys(of plane: KeyPlane) -> Bool { apiKeyRows.contains { $0.plane == plane } }
    package func apiKeys(of app: AppID?) -> [APIKey] { apiKeyRows.filter { $0.app == app } }

    package func update(_ key: APIKey) {
        guard let index = apiKeyRows.firstIndex(where: { $0.id == key.id }) else { return }
        apiKeyRows[index] = key
    }

    package func removeAPIKey(_ id: Int64) { apiKeyRows.removeAll { $0.id == id } }

    package func noteUse(ofAPIKey id: Int64, at moment: Instant) {
        guard let index = apiKeyRows.firstIndex(where: { $0.id == id }) else { return }
        apiKeyRows[index].lastUsedAt = max(apiKeyRows[index].lastUsedAt ?? moment, moment)
    }

    // MARK: Devices

    package func device(_ id: DeviceID) -> Device? { devices.first { $0.id == id } }

    package func device(installation: String, in app: AppID) -> Device? {
        devices.first { $0.installation == installation && $0.app == app }
    }

    package func device(secret: SecretHash) -> Device? {
        secrets[secret].flatMap(device(_:)).flatMap { app($0.app)?.removedAt == nil ? $0 : nil }
    }

    package func insert(_ new: NewDevice) -> Device {
        newestIDs.device += 1
        let device = new.stored(as: DeviceID(rawValue: newestIDs.device))
        devices.append(device)
        return device
    }

    package func setSecret(_ hash: SecretHash, of device: DeviceID) {
        secrets = secrets.filter { $0.value != device }
        secrets[hash] = device
    }

    package func devices(formerlyOf user: String, in app: AppID, limit: Int) -> [DeviceID] {
        devices.filter { $0.app == app && $0.formerUser == user }.prefix(limit).map(\.id)
    }

    package func update(_ device: Device) {
        guard let index = devices.firstIndex(where: { $0.id == device.id }) else { return }
        devices[index] = device
    }

    package func startToken(of device: DeviceID, type: String) -> StartToken? {
        startTokens[StartTokenKey(device: device, type: type)]
    }

    package func startTokens(of device: DeviceID) -> [StartToken] {
        startTokens.values.filter { $0.device == device }.sorted { $0.type < $1.type }
    }

    package func devices(withStartToken token: PushToken, in app: AppID) -> [DeviceID] {
        let devices = startTokens.values.filter { $0.token == token && device($0.device)?.app == app }.map(\.device)
        return Set(devices).sorted { $0.rawValue < $1.rawValue }
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

    package func deviceProfile(of device: DeviceID) -> DeviceProfile { deviceProfiles[device] ?? DeviceProfile() }
    package func put(_ profile: DeviceProfile, of device: Device) { deviceProfiles[device.id] = profile }
    package func deviceTraits(of device: DeviceID) -> Traits { deviceTraits[device] ?? Traits() }
    package func put(_ traits: Traits, of device: Device) {
        note(traits.names, in: device.app)
        deviceTraits[device.id] = traits
    }

    func removeTraits(of device: DeviceID) {
        deviceProfiles[device] = nil
        deviceTraits[device] = nil
    }

    // MARK: Activities

    package func activity(_ id: ActivityID) -> Activity? { activities.first { $0.id == id } }

    package func newestActivity(named name: String, in app: AppID) -> Activity? {
        activities.last { $0.name == name && $0.app == app }
    }

    package func activities(named name: String, in app: AppID, limit: Int) -> [Activity] {
        activities.filter { $0.name == name && $0.app == app }.reversed().prefix(limit).map(\.self)
    }

    package func activityName(in app: AppID, after name: String) -> String? {
        newestActivities(in: app, after: name, limit: 1).first?.name
    }

    package func newestActivities(in app: AppID, after name: String, limit: Int) -> [Activity] {
        Array(
            Set(
                activities.filter { $0.app == app && Array(name.utf8).lexicographicallyPrecedes(Array($0.name.utf8)) }
                    .map(\.name)
            ).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
                .compactMap { newestActivity(named: $0, in: app) }.prefix(limit))
    }

    package func activities(
        naming user: String, in app: AppID, after id: ActivityID, limit: Int
    ) -> [ActivityID] {
        activities(of: app, after: id, limit: .max).filter { activity($0)?.users.contains(user) ?? false }
            .prefix(limit).map(\.self)
    }

    package func newestActivityNames(of app: AppID, limit: Int) -> [String] {
        activities.filter { $0.app == app }.map(\.name).suffix(limit).reversed()
    }

    package func activities(of app: AppID, after id: ActivityID, limit: Int) -> [ActivityID] {
        activities.filter { $0.app == app && $0.id.rawValue > id.rawValue }.prefix(limit).map(\.id)
    }

    package func insertActivity(
        named name: String, in app: AppID, generation: Int, type: String?, at now: Instant
    ) -> Activity {
        newestIDs.activity += 1
        let activity = Activity(
            id: ActivityID(rawValue: newestIDs.activity), app: app, name: name, generation: generation,
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

    package func eraseDeclaration(_ version: Int, of activity: ActivityID) {
        guard var declaration = declarations[activity]?[version] else { return }
        declaration.content.state = declaration.content.state.map { _ in [:] }
        (declaration.content.alert, declaration.content.startAlert, declaration.content.aps) = (nil, nil, nil)
        declaration.attributes = nil
        declarations[activity]?[version] = declaration
    }

    package func update(_ declaration: Declaration) {
        declarations[declaration.activity]?[declaration.version] = declaration
    }

    package func declaration(_ version: Int, of activity: ActivityID) -> Declaration? {
        declarations[activity]?[version]
    }

    // MARK: Answers

    package func answeredRequest(key: String, of app: AppID?) -> AnsweredRequest? {
        answered.first { $0.request.key == key && $0.app == app }
    }

    package func keep(_ new: AnsweredRequest) {
        answered.removeAll { $0.request.key == new.request.key && $0.app == new.app }
        answered.append(new)
    }

    package func forgetAnswers(before moment: Instant, limit: Int) -> Int {
        let old = answered.filter { $0.answeredAt < moment }.sorted { $0.answeredAt < $1.answeredAt }.prefix(limit)
        answered.removeAll { old.contains($0) }
        return old.count
    }

    // MARK: Replicas

    package func insert(_ replica: Replica) {
        replicas[replica.activity, default: []].append(replica)
        joined[replica.activity, default: []].append(joining(replica))
        change(replica)
    }

    package func update(_ replica: Replica) {
        guard let index = place(of: replica.ordinal, in: replica.activity) else { return }
        replicas[replica.activity]?[index] = replica
        joined[replica.activity]?[index] = joining(replica)
        change(replica)
    }

    package func update(_ replica: Replica, from former: Replica) { update(replica) }

    package func replica(_ ordinal: Int, of activity: ActivityID) -> Replica? {
        guard let index = place(of: ordinal, in: activity), let own = replicas[activity] else { return nil }
        return credited(own[index], at: index)
    }

    package func allReplicasLive(of activity: ActivityID) -> Bool {
        let all = replicas[activity] ?? []
        return !all.isEmpty && all.allSatisfy { $0.phase == .live }
    }

    package func replicas(of activity: ActivityID, after ordinal: Int, limit: Int) -> [Replica] {
        Array(credited(activity) { $0.ordinal > ordinal }.prefix(limit))
    }

    package func replicas(of device: DeviceID, named name: String, in app: AppID) -> [Replica] {
        activities.filter { $0.name == name && $0.app == app }.sorted { $0.generation > $1.generation }
            .flatMap { activity in credited(activity.id) { $0.device == device } }
    }

    package func replicas(
        of device: DeviceID, after activity: ActivityID, ordinal: Int, limit: Int
    ) -> [Replica] {
        activities.map(\.id).sorted { $0.rawValue < $1.rawValue }.flatMap { own in
            credited(own) {
                $0.device == device && (own.rawValue, $0.ordinal) > (activity.rawValue, ordinal)
            }
        }.prefix(limit).map(\.self)
    }

    package func runningReplicas(of device: DeviceID, type: String, in app: AppID) -> [Replica] {
        activities.filter { $0.type == type && $0.app == app }.flatMap { activity in
            credited(activity.id) { $0.device == device }
                .filter(\.phase.mayRun)
        }
    }

    package func replica(ofInstance instance: String, on device: DeviceID) -> Replica? {
        activities.lazy.flatMap { self.credited($0.id) { $0.device == device && $0.instance == instance } }.first
    }

    package func remoteStarts(
        of device: DeviceID, after earliest: Instant, before latest: Instant, limit: Int
    ) -> [Replica] {
        activities.lazy.flatMap { self.credited($0.id) { $0.device == device } }
            .filter { $0.startsAt.map { earliest < $0 && $0 < latest } ?? false }
            .prefix(limit).map(\.self)
    }

    // MARK: The engine's work

    package func dueActivities(at now: Instant, limit: Int, in shards: Shards) -> [DueActivity] {
        let recalled = activities.compactMap { activity -> DueActivity? in
            guard shards.contains(activity.id), let app = sendingApp(of: activity),
                activity.skippedEnvironments.contains(where: app.isSending(in:))
            else {
                return nil
            }
            return DueActivity(id: activity.id, app: app.id, since: now)
        }
        let due = due(in: shards).filter { $0.since <= now }.sorted { $0.since < $1.since }
        let found = apps().map { app in
            let own = Array(due.filter { $0.app == app.id }.prefix(limit))
            return own.joined(with: recalled.filter { $0.app == app.id }, limit: limit)
        }
        return DueActivity.byTurns(found, limit: limit)
    }

    package func activitiesDue(of app: AppID, after now: Instant, upTo moment: Instant, limit: Int) -> [ActivityID] {
        let found = activities.filter { activity in
            activity.app == app && activity.haltedAt == nil && activity.dueAt.map { now < $0 && $0 <= moment } ?? false
        }
        return found.sorted { ($0.dueAt ?? now, $0.id.rawValue) < ($1.dueAt ?? now, $1.id.rawValue) }
            .prefix(limit).map(\.id)
    }

    package func activitiesPassingOver(_ environment: PushEnvironment, of app: AppID, limit: Int) -> [ActivityID] {
        let found = activities.filter {
            $0.app == app && $0.haltedAt == nil && $0.skippedEnvironments.contains(environment)
        }
        // The order of the rows: those of one environment before those of both.
        return [1, 2].flatMap { count in found.filter { $0.skippedEnvironments.count == count }.prefix(limit) }.map(
            \.id)
    }

    package func pausedApps() -> [App] { apps().filter { !$0.pauses.isEmpty } }

    package func nextDue(after now: Instant, in shards: Shards) -> Instant? {
        due(in: shards).map(\.since).filter { $0 > now }.min()
    }

    private func due(in shards: Shards) -> [DueActivity] {
        activities.compactMap { activity in
            guard shards.contains(activity.id), sendingApp(of: activity) != nil, let dueAt = activity.dueAt else {
                return nil
            }
            return DueActivity(id: activity.id, app: activity.app, since: dueAt)
        }
    }

    private func sendingApp(of activity: Activity) -> App? {
        guard let app = appRows[activity.app], app.isSending, app.halt(of: activity) == nil else { return nil }
        return app
    }
}
