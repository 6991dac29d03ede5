import EyotContract
import EyotDomain

extension LedgerCheck {
    /// Checks of constraints that a database enforces although the program never violates them. The ledger in memory
    /// has none.
    package static let constraints = [
        LedgerCheck("Nothing that has to be unique is there twice") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (app, other) = (try rows.app("one"), try rows.app("two"))
            let (device, second) = (try rows.device("a", in: app), try rows.device("b", in: app))
            let activity = try rows.activity(in: app)
            let hash = SecretHash(bytes: [1, 2, 3])
            let key = APIKey(app: app, name: "n", hash: hash, hint: "h", createdAt: ConformanceRows.now)
            _ = try ledger.insert(key)
            try ledger.setSecret(hash, of: device.id)
            try rows.replica(1, of: activity, on: device, instance: "i")
            try requireRefusal(of: "a second app of a bundle") {
                _ = try ledger.insertApp(
                    bundleID: "org.example.one", name: "x", publicKey: "x", at: ConformanceRows.now)
            }
            try requireRefusal(of: "a second app of a public key") {
                _ = try ledger.insertApp(bundleID: "x", name: "x", publicKey: "key-one", at: ConformanceRows.now)
            }
            try requireRefusal(of: "a key's hash") { _ = try ledger.insert(key) }
            try requireRefusal(of: "an installation") { _ = try rows.device("a", in: app) }
            try requireRefusal(of: "a device's secret") { try ledger.setSecret(hash, of: second.id) }
            try requireRefusal(of: "a generation") { _ = try rows.activity(in: app) }
            try requireRefusal(of: "an ordinal") { try rows.replica(1, of: activity, on: second) }
            try requireRefusal(of: "an instance") { try rows.replica(2, of: activity, on: device, instance: "i") }
            _ = try rows.device("a", in: other)
            try rows.replica(2, of: activity, on: second, instance: "i")
        },
        LedgerCheck("No row hangs in the air, and no start token in another app") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (app, other) = (try rows.app("one"), try rows.app("two"))
            let device = try rows.device("a", in: app)
            let activity = try rows.activity(in: app)
            var ghost = device
            ghost.id = DeviceID(rawValue: 99)
            var unopened = activity
            unopened.id = ActivityID(rawValue: 99)
            try requireRefusal(of: "a replica on no device") { try rows.replica(1, of: activity, on: ghost) }
            try requireRefusal(of: "a replica of no activity") { try rows.replica(1, of: unopened, on: device) }
            try requireRefusal(of: "a device of no app") { _ = try rows.device("z", in: AppID(rawValue: 99)) }
            try requireRefusal(of: "a change of no device") { try ledger.update(ghost) }
            try requireRefusal(of: "a change of no activity") { try ledger.update(unopened) }
            try requireRefusal(of: "a secret of no device") {
                try ledger.setSecret(SecretHash(bytes: [1]), of: ghost.id)
            }
            let token = StartToken(
                device: device.id, type: "A", token: try rows.token(1), environment: .sandbox,
                setAt: ConformanceRows.now)
            try requireRefusal(of: "a start token in another app") { try ledger.put(token, in: other) }
        },
        LedgerCheck("Names that look alike and differ in their bytes are different names") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let composed = try rows.activity("caf\u{E9}", in: app)
            let decomposed = try rows.activity("cafe\u{301}", in: app)
            try require(ledger.newestActivity(named: "caf\u{E9}", in: app)?.id, is: composed.id, "composed")
            try require(ledger.newestActivity(named: "cafe\u{301}", in: app)?.id, is: decomposed.id, "decomposed")
        },
        LedgerCheck("Text with a NUL is refused rather than cut off") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            try requireRefusal(of: "a name with a NUL") { _ = try rows.activity("m\0n", in: app) }
            try require(ledger.newestActivity(named: "m", in: app), is: nil, "the part before the NUL")
        },
        LedgerCheck("An audience that is too deep or too long is refused") { ledger in
            let app = try ConformanceRows(ledger: ledger).app()
            let deep = (0..<Audience.resolvedDepthLimit).reduce(Audience.all) { inner, _ in .not(inner) }
            let most = Audience.or((0..<Audience.resolvedSelectorLimit).map { .not(.tag("\($0)")) })
            _ = try ledger.devices(in: most, of: app, after: DeviceID(rawValue: 0), limit: 1)
            let joined = Audience.and(Array(repeating: .or([]), count: Audience.resolvedConnectiveLimit))
            for audience in [deep, .or([most, .tag("t")]), joined, .and([.tag("t"), deep])] {
                try requireRefusal(of: "an audience") {
                    _ = try ledger.devices(in: audience, of: app, after: DeviceID(rawValue: 0), limit: 1)
                }
            }
        },
    ]
}
