import APNSWire
import EyotContract
import EyotDomain

extension LedgerCheck {
    static let devices = [
        LedgerCheck("A device is kept whole, and found by installation in its own app alone") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            var device = try rows.device("phone", in: one, user: "u")
            let other = try rows.device("phone", in: two)
            device.environment = .production
            device.osVersion = OSVersion(26, 3)
            device.appVersion = "ü"
            device.permissions = DevicePermissions(activities: false, frequentPushes: true)
            device.user = nil
            device.language = "pt-BR"
            (device.epoch, device.sequence, device.seenAt) = (7, 99, .after(1))
            try ledger.update(device)
            try require(ledger.device(device.id), is: device, "by id")
            try require(ledger.device(installation: "phone", in: one), is: device, "by installation")
            try require(ledger.device(installation: "phone", in: two), is: other, "in the other app")
            try require(ledger.device(installation: "other", in: one), is: nil, "another installation")
        },
        LedgerCheck("A device is found by its newest secret alone") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let device = try rows.device("a", in: app)
            let other = try rows.device("b", in: app)
            let hashes = (1...3).map { SecretHash(bytes: [UInt8](repeating: UInt8($0), count: 32)) }
            try ledger.setSecret(hashes[0], of: device.id)
            try ledger.setSecret(hashes[1], of: other.id)
            try ledger.setSecret(hashes[2], of: device.id)
            try require(ledger.device(secret: hashes[2])?.id, is: device.id, "the newest")
            try require(ledger.device(secret: hashes[1])?.id, is: other.id, "the other's")
            try require(ledger.device(secret: hashes[0]), is: nil, "the former")
            try ledger.update(device)
            try require(ledger.device(secret: hashes[2])?.id, is: device.id, "after an update of the device")
        },
        LedgerCheck("A start token that another device of the app holds moves; another app's stays") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let (first, second) = (try rows.device("a", in: one), try rows.device("b", in: one))
            let foreign = try rows.device("c", in: two)
            func put(_ device: Device, _ type: String, _ byte: UInt8) throws {
                try ledger.put(
                    StartToken(
                        device: device.id, type: type, token: rows.token(byte), environment: .sandbox,
                        setAt: ConformanceRows.now, osVersion: device.osVersion), in: device.app)
            }
            try put(foreign, "A", 1)
            for type in ["B", "A"] { try put(first, type, 1) }
            try put(first, "C", 2)
            try require(ledger.startTokens(of: first.id).map(\.type), is: ["A", "B", "C"], "in order of their types")
            try put(second, "A", 1)
            try require(ledger.startTokens(of: first.id).map(\.type), is: ["C"], "what the first device keeps")
            try require(
                ledger.startToken(of: second.id, type: "A")?.token, is: rows.token(1), "what the second device has")
            try require(ledger.startToken(of: foreign.id, type: "A")?.token, is: rows.token(1), "the other app's")
            try require(
                ledger.devices(withStartToken: rows.token(1), in: second.app), is: [second.id], "who has it in an app")
            try require(
                ledger.startToken(of: second.id, type: "A")?.osVersion, is: second.osVersion, "its phone's system")
            try ledger.removeStartToken(of: second.id, type: "A")
            try require(ledger.startToken(of: second.id, type: "A"), is: nil, "removed")
        },
        LedgerCheck("Phones are found by the user whose places they took over, in their app") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            var found: [DeviceID] = []
            for (index, app) in [one, two, one, one].enumerated() {
                var device = try rows.device("d\(index)", in: app)
                device.formerUser = index == 2 ? "other" : "u"
                try ledger.update(device)
                if app == one, index != 2 { found.append(device.id) }
            }
            try require(ledger.devices(formerlyOf: "u", in: one, limit: 9), is: found, "in order of their ids")
            try require(ledger.devices(formerlyOf: "u", in: one, limit: 1), is: [found[0]], "up to the limit")
            try require(ledger.devices(formerlyOf: "nobody", in: one, limit: 9), is: [], "of another user")
        },
        LedgerCheck("Quarantined start tokens are found in their app, up to the limit") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            var expected: [StartToken] = []
            for index in 0..<6 {
                let app = index == 5 ? two : one
                var token = StartToken(
                    device: try rows.device("d\(index)", in: app).id, type: "A", token: try rows.token(UInt8(index)),
                    environment: .production, setAt: .after(Int64(index)))
                if index > 0 { token.death = TokenDeath(reason: .badDeviceToken, isQuarantine: index > 1) }
                try ledger.put(token, in: app)
                try require(ledger.startToken(of: token.device, type: "A"), is: token, "token \(index)")
                if index > 1, index < 5 { expected.append(token) }
            }
            try require(Set(ledger.suspectStartTokens(in: one, limit: 10)), is: Set(expected), "all of them")
            try require(ledger.suspectStartTokens(in: one, limit: 2).count, is: 2, "two of them")
        },
        LedgerCheck("Dead start tokens are found in their app, page by page") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let devices = try (1...3).map { try rows.device("d\($0)", in: $0 == 3 ? two : one) }
            for (index, device) in devices.enumerated() {
                for type in ["A", "B", "C"] {
                    var token = StartToken(
                        device: device.id, type: type, token: try rows.token(UInt8(index)), environment: .sandbox,
                        setAt: ConformanceRows.now)
                    if type != "B" { token.death = TokenDeath(reason: .unregistered, isQuarantine: false) }
                    try ledger.put(token, in: device.app)
                }
            }
            let none = DeviceID(rawValue: 0)
            let dead = try ledger.deadStartTokens(in: one, after: none, type: "", limit: 9)
            try require(dead.map(\.type), is: ["A", "C", "A", "C"], "types")
            try require(dead.map(\.device), is: [0, 0, 1, 1].map { devices[$0].id }, "devices")
            let page = try ledger.deadStartTokens(in: one, after: devices[0].id, type: "A", limit: 2)
            try require(page, is: Array(dead[1...2]), "a page")
        },
        LedgerCheck("A user belongs to one app; new tags take the place of the old") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            try ledger.put(User(app: one, externalID: "u", tags: ["a", "b"]))
            try ledger.put(User(app: two, externalID: "u", tags: ["z"]))
            try ledger.put(User(app: one, externalID: "u", tags: ["b", "c"]))
            try require(ledger.user("u", in: one)?.tags, is: ["b", "c"], "in the first app")
            try require(ledger.user("u", in: two)?.tags, is: ["z"], "in the second app")
            try require(ledger.user("v", in: one), is: nil, "nobody")
            try ledger.put(User(app: one, externalID: "u"))
            try require(ledger.user("u", in: one)?.tags, is: [], "without tags")
        },
    ]
}
