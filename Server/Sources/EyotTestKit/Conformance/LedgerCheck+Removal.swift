import APNSWire
import EyotCommands
import EyotContract
import EyotDomain

extension LedgerCheck {
    /// Fills an app with a user's phone, cards and keys.
    private static func fill(_ app: AppID, byte: UInt8, _ ledger: any Ledger) throws -> Device {
        let rows = ConformanceRows(ledger: ledger)
        let device = try rows.device("i", in: app, user: "u")
        try ledger.setSecret(SecretHash(bytes: [byte]), of: device.id)
        try ledger.put(
            StartToken(
                device: device.id, type: "A", token: try rows.token(byte), environment: .sandbox,
                setAt: ConformanceRows.now), in: app)
        try ledger.put(User(app: app, externalID: "u", tags: ["fans"]))
        var activity = try rows.activity(in: app)
        for number in 1...300 { try rows.replica(number, of: activity, on: device, instance: "i\(number)") }
        try ledger.insert(activity.declare(.state, Content(state: [:]), at: .after(1)))
        try ledger.update(activity)
        _ = try ledger.insert(
            APIKey(app: app, name: "n", hash: SecretHash(bytes: [byte, 0]), hint: "h", createdAt: .after(0)))
        return device
    }

    static let removal = [
        LedgerCheck("An app that is removed is found by nothing, goes in steps, and leaves others alone") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let (device, other) = (try fill(one, byte: 1, ledger), try fill(two, byte: 2, ledger))
            let start = ConformanceRows.now
            do throws(any Error) {
                try RemoveApp(Transaction(ledger, at: start))(one, leavesCards: false)
                throw Violation("an app whose card runs was removed")
            } catch let error as EyotError where error.code == .appInUse {}
            try require(ledger.removedApps(), is: [], "after a refusal")
            try RemoveApp(Transaction(ledger, at: start))(one, leavesCards: true)
            try require(ledger.apps().map(\.id), is: [two], "what is listed")
            try require(ledger.app(bundleID: "org.example.one"), is: nil, "by its bundle id")
            try require(ledger.app(publicKey: "key-one"), is: nil, "by its public key")
            try require(ledger.device(secret: SecretHash(bytes: [1])), is: nil, "a phone by its secret")
            try require(ledger.device(secret: SecretHash(bytes: [2]))?.id, is: other.id, "the other app's phone")
            try require(ledger.apiKey(hash: SecretHash(bytes: [1, 0])), is: nil, "its key")
            let heir = try ledger.insertApp(bundleID: "org.example.one", name: "", publicKey: "new", at: start)
            try require(ledger.removedApps().map(\.bundleID), is: ["org.example.one"], "its name stays known")
            guard let app = try ledger.app(one) else { throw Violation("it is gone at once") }
            try require(RemoveApp(Transaction(ledger, at: start + 59)).step(app), is: false, "before its time")
            try require(ledger.device(device.id) == nil, is: false, "what is left before")
            var steps = 1
            while try RemoveApp(Transaction(ledger, at: start + 60)).step(app) { steps += 1 }
            try require(steps > 2, "\(steps) steps were enough")
            try require(ledger.app(one), is: nil, "the app")
            try require(ledger.removedApps(), is: [], "what is left")
            try require(ledger.device(device.id), is: nil, "its phone")
            try require(ledger.apps().map(\.id), is: [two, heir.id], "the others")
            try require(ledger.device(other.id)?.user, is: "u", "the other's phone")
            try require(ledger.user("u", in: two)?.traits.tags, is: ["fans"], "the other's user")
            try require(ledger.replicas(of: other.id, named: "m", in: two).count, is: 300, "the other's cards")
        },
        LedgerCheck("Apple is asked to delete the channels of a removed app, for a day at most") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            var made = try ledger.insert(
                Channel(
                    id: ChannelID(rawValue: 0), app: app, environment: .sandbox,
                    activity: ActivityID(rawValue: 9), wantedAt: ConformanceRows.now))
            (made.phase, made.apple, made.freeAt) = (.resting, APNSChannelID("AAAA"), .after(9))
            try ledger.update(made)
            let start = ConformanceRows.now
            try RemoveApp(Transaction(ledger, at: start))(app, leavesCards: false)
            guard let removed = try ledger.app(app) else { throw Violation("it is gone at once") }
            try require(RemoveApp(Transaction(ledger, at: start + 60)).step(removed), is: false, "while Apple has one")
            let due = try ledger.dueChannels(for: .upkeep(.sandbox), at: start + 60, share: 9, limit: 9)
            try require(due.map(\.phase), is: [.deleting], "what Apple is asked")
            while try RemoveApp(Transaction(ledger, at: start + 86_400)).step(removed) {}
            try require(ledger.app(app), is: nil, "after a day")
        },
    ]
}
