import EyotContract
import EyotDomain
import Testing

/// The API, an engine that goes by hand, and two phones: `a` speaks German, `b` allows no frequent pushes.
actor SettingsWorld {
    let rig: Rig
    let path: SettingPath
    private var engine = SettingsEngine()
    private var callers: [KeyPlane: VendorCaller] = [:]
    /// What Insider's API called its activities, by our names.
    var insiderIDs: [String: String] = [:]

    /// More members than one transaction marks.
    static let listed = MemberList.inlineLimit + 1

    init(_ rig: Rig, on path: SettingPath) async throws {
        self.rig = rig
        self.path = path
        if path == .channel { try await storeKey() }
        let phones = [NewPhone(name: "a", language: "de"), NewPhone(name: "b", allowsFrequentPushes: false)]
        let now = rig.clock.now
        engine.phones = try await rig.store.write { ledger in
            if path == .memberList { try NewPhone.registerOld(Self.listed, in: ledger, at: now) }
            return try phones.enumerated().map { try $1.register(number: $0, in: ledger, at: now) }
        }
        for phone in ["a", "b"] { _ = try await rig.call(.put, "/v1/users/\(phone)", #"{"tags":["fans"]}"#) }
    }

    private func storeKey() async throws {
        try await rig.store.write { ledger in
            let app = try #require(try ledger.app(bundleID: "org.example.match"))
            try ledger.put(
                APNSKey(
                    app: app.id, environment: .sandbox, teamID: "TEAM000001", keyID: "KEY0000001",
                    sealed: SealedSecret(masterKeyID: "m", box: []), addedAt: Rig.start))
        }
    }

    // MARK: Time

    /// Lets seconds pass, and does what is due after each step of them.
    func pass(_ seconds: Int, by step: Int = 1) async throws {
        for _ in stride(from: 0, to: seconds, by: step) {
            rig.clock.advance(Double(step))
            try await work()
        }
    }

    func work() async throws {
        let now = rig.clock.now
        let former = engine
        engine = try await rig.store.write { ledger in
            var engine = former
            try engine.run(ledger, at: now)
            return engine
        }
    }

    var now: Int { rig.clock.now.second }

    /// What `a` or `b` got from a second on.
    func pushes(to phone: String, since second: Int = 0) -> [SettingsPush] {
        engine.phones[phone == "a" ? 0 : 1].pushes.filter { $0.second >= second }
    }

    /// The apps of both phones start a card of a name by themselves.
    func startLocally(_ name: String) async throws {
        let (now, former) = (rig.clock.now, engine)
        engine = try await rig.store.write { ledger in
            var engine = former
            for index in engine.phones.indices {
                let attributes = JSONValue.object(JSONObject([("eyotActivityName", .string(name))]))
                engine.phones[index].begin(JSONObject([("attributes", attributes)]), number: index)
                guard let own = engine.phones[index].cards.last else { continue }
                try engine.phones[index].report(own, to: ledger, at: now)
            }
            return engine
        }
    }

    /// Fills an activity with cards without tokens, so that a member list marks the next ones.
    func fill(_ name: String) async throws {
        _ = try await rig.call(.put, "/v1/activities/\(name)", #"{"type":"Match","contentState":{"n":0}}"#)
        let now = rig.clock.now
        try await rig.store.write { ledger in
            let app = try #require(try ledger.app(bundleID: "org.example.match"))
            var activity = try #require(try ledger.newestActivity(named: name, in: app.id))
            for device in try ledger.deviceIDs(in: .osBelow(.remoteStart), of: app.id, limit: Self.listed) {
                try ledger.insert(
                    Replica(
                        activity: activity.id, ordinal: activity.nextOrdinal, device: device, phase: .waitingForToken,
                        createdAt: now))
                activity.nextOrdinal += 1
            }
            try ledger.update(activity)
        }
    }

    // MARK: Calls

    func caller(of plane: KeyPlane) async throws -> VendorCaller {
        if let known = callers[plane] { return known }
        let caller = try await rig.caller(of: plane)
        callers[plane] = caller
        return caller
    }

    func post(_ plane: KeyPlane, _ path: String, _ body: String) async throws -> Reply {
        let caller = try await caller(of: plane)
        return try await rig.post(path, body.replacing("APP", with: caller.identifier), by: caller, of: plane)
    }

    func note(_ id: String?, for name: String) { insiderIDs[name] = id }
}

/// A phone that registers, with a start token.
private struct NewPhone: Sendable {
    /// Registers phones with an iOS that accepts no remote starts.
    static func registerOld(_ count: Int, in ledger: any Ledger, at now: Instant) throws {
        let app = try #require(try ledger.app(bundleID: "org.example.match"))
        for number in 1...count {
            var phone = NewDevice.phone("old-\(number)", in: app.id, at: now)
            phone.osVersion = OSVersion(16)
            _ = try ledger.insert(phone)
        }
    }

    var name: String
    var language = "en"
    var allowsFrequentPushes = true

    func register(number: Int, in ledger: any Ledger, at now: Instant) throws -> SettingsPhone {
        let app = try #require(try ledger.app(bundleID: "org.example.match"))
        var device = try ledger.insert(
            NewDevice(
                app: app.id, installation: name, environment: .sandbox, osVersion: OSVersion(18), appVersion: "1",
                permissions: DevicePermissions(activities: true, frequentPushes: allowsFrequentPushes), user: name,
                createdAt: now))
        device.language = language
        try ledger.update(device)
        try ledger.put(User(app: app.id, externalID: name))
        let token = try #require(PushToken(bytes: [0, UInt8(number >> 8), UInt8(number & 255)]))
        let phone = SettingsPhone(device: device.id, startToken: token)
        try phone.send(.setStartToken(type: "Match", token: token), to: ledger, at: now)
        return phone
    }
}
