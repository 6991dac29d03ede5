import EyotContract
import Foundation
import PhoneSimulator

extension Lab {
    /// The phones in the order in which they were added.
    public var phones: [LabPhone] { inner.withLock { $0.phones } }

    /// Returns the phone with this name.
    ///
    /// - Throws: ``LabError/noSuchPhone(_:)``.
    public func phone(_ id: String) throws(LabError) -> LabPhone {
        guard let phone = inner.withLock({ $0.phonesByID[id] }) else { throw .noSuchPhone(id) }
        return phone
    }

    /// Adds phones, and sets their users' tags on the server.
    ///
    /// - Returns: the new phones. Their apps already run, unless the options say otherwise, and register by themselves.
    @discardableResult
    public func addPhones(_ count: Int, _ options: PhoneOptions = PhoneOptions()) async throws -> [LabPhone] {
        let numbers = try takeNumbers(count)
        try await putUsers(numbers.map { options.user ?? "user-\($0)" }, tags: options.tags)
        return try numbers.map { number in
            let phone = try add(
                configuration(of: "phone-\(number)", options), user: options.user ?? "user-\(number)",
                tags: options.tags, build: options.build)
            if options.isLaunched { phone.launch() }
            return phone
        }
    }

    private func takeNumbers(_ count: Int) throws(LabError) -> [Int] {
        try inner.withLock { inner throws(LabError) in
            guard count >= 0, inner.phones.count + count <= LabConfiguration.phoneLimit else { throw .tooManyPhones }
            let first = inner.lastNumber + 1
            inner.lastNumber += count
            return Array(first..<first + count)
        }
    }

    private func configuration(of id: String, _ options: PhoneOptions) -> PhoneConfiguration {
        PhoneConfiguration(
            id: id, os: options.os, bundleID: LabConfiguration.bundleID, environment: options.environment,
            seed: configuration.seed, types: options.build.checks(of: configuration.types),
            settings: options.settings, rules: options.rules ?? configuration.phoneRules)
    }

    private func add(
        _ setup: PhoneConfiguration, user: String?, tags: [String], build: PhoneBuild,
        restoring kept: KeptPhone? = nil
    ) throws -> LabPhone {
        guard let app = inner.withLock({ $0.app }), let phone = fleet.add(setup, restoring: kept?.archive) else {
            throw LabError.server("phone \(setup.id) came before its app, or twice")
        }
        let labPhone = LabPhone(
            phone, user: user, tags: tags, app: app, changes: changes, build: build, restoring: kept)
        reports.add(labPhone)
        inner.withLock { inner in
            inner.phones.append(labPhone)
            inner.phonesByID[labPhone.id] = labPhone
        }
        additions.yield(labPhone)
        return labPhone
    }

    /// Restores the phones of the lab that ran in this folder before.
    func restorePhones() async throws {
        for kept in try folder.loadPhones() {
            var options = PhoneOptions()
            options.os = IOSVersion(kept.os) ?? options.os
            options.environment = kept.environment
            options.rules = kept.rules
            options.build = kept.build ?? options.build
            let phone = try add(
                configuration(of: kept.id, options), user: kept.user, tags: kept.tags, build: options.build,
                restoring: kept)
            if kept.runs { phone.launch() }
            let number = kept.id.split(separator: "-").last.flatMap { Int($0) } ?? 0
            inner.withLock { $0.lastNumber = max($0.lastNumber, number) }
        }
        inner.withLock { $0.hasRestored = true }
    }

    // MARK: What the server knows of them

    /// Waits until the server could start a card of each type on each phone with a running app, or until the task is
    /// cancelled.
    public func untilStartable() async throws {
        let phones = phones.count { $0.state.startToken != nil && $0.state.run != .notRunning }
        try await untilStartable(phones, query: "")
    }

    /// Waits until the server could start a card of each type on this many phones of users with a tag. Cancelling the
    /// task ends the wait.
    public func untilStartable(_ count: Int, tag: String) async throws {
        try await untilStartable(count, query: "&tag=\(APIClient.path(tag).dropFirst())")
    }

    private func untilStartable(_ count: Int, query: String) async throws {
        let signals = changeSignals()
        var startable = StartableDevices(types: Set(configuration.types.map(\.name)).count, query: query)
        while try await startable.count(by: api) < count {
            // At most one call for each change, and at least one a second.
            for await _ in signals { break }
            try Task.checkCancellation()
        }
    }

    // MARK: Users

    /// How many calls to the server run at once.
    private static let callsAtOnce = 8

    private func putUsers(_ users: [String], tags: [String]) async throws {
        let api = try api
        let body: JSONValue = ["tags": .array(tags.map(JSONValue.string))]
        var rest = Set(users).sorted()[...]
        try await withThrowingTaskGroup(of: Void.self) { group in
            func addNext() {
                guard let user = rest.popFirst() else { return }
                group.addTask { try await api.demand("PUT", APIClient.path("v1", "users", user), body: body) }
            }
            for _ in 0..<Self.callsAtOnce { addNext() }
            while try await group.next() != nil { addNext() }
        }
    }
}

extension LabPhone {
    /// Runs the apps of all added phones until the task is cancelled.
    static func runAll(_ phones: AsyncStream<LabPhone>) async {
        await withDiscardingTaskGroup { group in
            for await phone in phones { group.addTask { await phone.run() } }
            group.cancelAll()
        }
    }
}

/// A count of the devices that have a start token for each type. Pages on which all devices have one are not read
/// again. So waiting for many phones does not read all of them each time.
private struct StartableDevices {
    let types: Int
    /// Further query parameters that narrow the list.
    let query: String
    private var sure = 0
    private var after: String?

    init(types: Int, query: String) {
        self.types = types
        self.query = query
    }

    mutating func count(by api: APIClient) async throws -> Int {
        var count = sure
        var cursor = after
        var isComplete = true
        while true {
            let page = try await api.demand(
                "GET", "/v1/devices?limit=100" + query + (cursor.map { "&after=\($0)" } ?? ""))
            let devices = page.object?["devices"]?.array ?? []
            let startable = devices.count { $0.object?["startTokens"]?.array?.count == types }
            count += startable
            isComplete = isComplete && startable == devices.count
            guard let next = page.object?["next"]?.string else {
                // On PostgreSQL a device may appear on a former page later, because ids are given before a commit.
                if isComplete { (sure, after) = (0, nil) }
                return count
            }
            cursor = next
            if isComplete { (sure, after) = (count, next) }
        }
    }
}
