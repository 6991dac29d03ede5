import EyotDomain

/// Rows that are there before a write that has to be refused.
private struct Rows {
    let rows: ConformanceRows
    let app: AppID
    let other: AppID
    let device: Device
    let second: Device
    let activity: Activity
    let key: APIKey
    let ana: PanelMember

    static let hash = SecretHash(bytes: [1, 2, 3])

    init(in ledger: any Ledger) throws {
        rows = ConformanceRows(ledger: ledger)
        (app, other) = (try rows.app("one"), try rows.app("two"))
        (device, second) = (try rows.device("a", in: app), try rows.device("b", in: app))
        activity = try rows.activity(in: app)
        key = APIKey(app: app, name: "n", hash: Self.hash, hint: "h", createdAt: ConformanceRows.now)
        _ = try ledger.insert(key)
        try ledger.setSecret(Self.hash, of: device.id)
        try rows.replica(1, of: activity, on: device, instance: "i")
        ana = try ledger.insert(PanelMember(name: "ana", createdAt: ConformanceRows.now))
        try grant(1, app, .viewer)
        try grant(2, nil, .owner)
    }

    var ledger: any Ledger { rows.ledger }

    func grant(_ key: Int64, _ app: AppID?, _ role: PanelRole) throws {
        try ledger.insert(
            MemberGrant(key: key, member: ana.id, app: app, role: role, grantedAt: ConformanceRows.now))
    }

    func app(bundleID: String, publicKey: String) throws {
        _ = try ledger.insertApp(bundleID: bundleID, name: "x", publicKey: publicKey, at: ConformanceRows.now)
    }

    /// A device, and an activity, that are in no table.
    var ghost: Device {
        var ghost = device
        ghost.id = DeviceID(rawValue: 99)
        return ghost
    }

    var unopened: Activity {
        var unopened = activity
        unopened.id = ActivityID(rawValue: 99)
        return unopened
    }
}

extension StoreCheck {
    /// Checks of constraints that a database enforces although the program never violates them. Each refusal is the
    /// last act of its transaction, because a database may end a transaction with it.
    static let refusals = [
        refuses("Nothing that has to be unique is there twice", duplicates),
        refuses("No row hangs in the air, and no start token in another app", dangling),
    ]

    private typealias Refusal = (what: String, write: @Sendable (Rows) throws -> Void)

    private static let duplicates: [Refusal] = [
        ("a second app of a bundle", { try $0.app(bundleID: "org.example.one", publicKey: "x") }),
        ("a second app of a public key", { try $0.app(bundleID: "x", publicKey: "key-one") }),
        ("a key's hash", { _ = try $0.ledger.insert($0.key) }),
        ("an installation", { _ = try $0.rows.device("a", in: $0.app) }),
        ("a device's secret", { try $0.ledger.setSecret(Rows.hash, of: $0.second.id) }),
        ("a generation", { _ = try $0.rows.activity(in: $0.app) }),
        ("an ordinal", { try $0.rows.replica(1, of: $0.activity, on: $0.second) }),
        ("an instance", { try $0.rows.replica(2, of: $0.activity, on: $0.device, instance: "i") }),
        ("a member's name", { _ = try $0.ledger.insert(PanelMember(name: "ana", createdAt: ConformanceRows.now)) }),
        ("a second grant for an app", { try $0.grant(9, $0.app, .admin) }),
        ("a second grant of an owner", { try $0.grant(9, nil, .owner) }),
    ]

    private static let dangling: [Refusal] = [
        ("a replica on no device", { try $0.rows.replica(2, of: $0.activity, on: $0.ghost) }),
        ("a replica of no activity", { try $0.rows.replica(1, of: $0.unopened, on: $0.device) }),
        ("a device of no app", { _ = try $0.rows.device("z", in: AppID(rawValue: 99)) }),
        ("a change of no device", { try $0.ledger.update($0.ghost) }),
        ("a change of no activity", { try $0.ledger.update($0.unopened) }),
        ("a secret of no device", { try $0.ledger.setSecret(SecretHash(bytes: [1]), of: $0.ghost.id) }),
        (
            "a start token in another app",
            { rows in
                let token = StartToken(
                    device: rows.device.id, type: "A", token: try rows.rows.token(1), environment: .sandbox,
                    setAt: ConformanceRows.now)
                try rows.ledger.put(token, in: rows.other)
            }
        ),
    ]

    private static func refuses(_ description: String, _ refusals: [Refusal]) -> StoreCheck {
        StoreCheck(description) { store in
            // What is refused is taken where nothing is in its way.
            try await store.tryOut { ledger in
                let rows = try Rows(in: ledger)
                _ = try rows.rows.device("a", in: rows.other)
                try rows.rows.replica(2, of: rows.activity, on: rows.second, instance: "i")
            }
            for refusal in refusals {
                do {
                    try await store.tryOut { try refusal.write(Rows(in: $0)) }
                } catch {
                    continue
                }
                throw Violation("\(refusal.what) was taken")
            }
        }
    }
}
