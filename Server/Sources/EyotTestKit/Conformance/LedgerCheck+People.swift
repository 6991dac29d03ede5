import EyotContract
import EyotDomain

extension LedgerCheck {
    static let people = [
        LedgerCheck("A user is kept as it was put, with groups, attributes and aliases, and listed in order") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (app, other) = (try rows.app("one"), try rows.app("two"))
            let whole = User(
                app: app, externalID: "b", tags: ["a"], tagGroups: ["g": ["a", "b"]],
                attributes: ["t": "x", "n": 1.5, "f": true, "l": ["x", "y"], "e": []],
                aliases: ["crm": "1", "old": "1"])
            let plain = User(app: app, externalID: "a")
            for user in [whole, plain, User(app: other, externalID: "c")] { try ledger.put(user) }
            try require(ledger.user("b", in: app), is: whole, "as it was put")
            try require(ledger.users(in: app, after: "", limit: 10), is: [plain, whole], "all")
            try require(ledger.users(in: app, after: "a", limit: 1), is: [whole], "after the first")
            try require(ledger.user(of: UserAlias(label: "old", name: "1"), in: app), is: "b", "by an alias")
            try require(ledger.user(of: UserAlias(label: "old", name: "1"), in: other), is: nil, "in another app")
            var changed = whole
            changed.aliases = ["crm": "2"]
            changed.traits.attributes = ["t": "y"]
            changed.traits.tagGroups = [:]
            try ledger.put(changed)
            try require(ledger.user("b", in: app), is: changed, "after a change")
            try require(ledger.user(of: UserAlias(label: "old", name: "1"), in: app), is: nil, "an alias that is gone")
            try ledger.removeUser("b", of: app)
            try require(ledger.user("b", in: app), is: nil, "when it is gone")
            try require(ledger.users(in: other, after: "", limit: 10).count, is: 1, "the other app's stays")
        },
        LedgerCheck("Attributes of a user go with devices that log in and out, and with the user") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let city = Audience.attribute(AttributeRule("city", .equals("Ankara")))
            func there() throws -> [DeviceID] { try pages(of: city, in: app, by: 10, ledger) }
            try ledger.put(User(app: app, externalID: "u", attributes: ["city": "Ankara"]))
            var device = try rows.device("a", in: app, user: "u")
            try require(there(), is: [device.id], "registered with its user")
            device.user = nil
            try ledger.update(device)
            try require(there(), is: [], "logged out")
            device.user = "u"
            try ledger.update(device)
            try require(there(), is: [device.id], "logged in")
            try ledger.put(User(app: app, externalID: "u", attributes: ["city": "Paris"]))
            try require(there(), is: [], "moved")
            try ledger.put(Traits(attributes: ["city": "Ankara"]), of: device)
            try require(there(), is: [device.id], "by its own")
            try ledger.put(User(app: app, externalID: "u", tags: ["x"], attributes: ["city": "Ankara"]))
            try require(there(), is: [device.id], "by both, once")
            try ledger.put(Traits(), of: device)
            try ledger.removeUser("u", of: app)
            try require(there(), is: [], "when nobody says so any more")
            try require(pages(of: .tag("x"), in: app, by: 10, ledger), is: [], "nor the tag")
        },
        LedgerCheck("A name that the backend has set is its own from then on, in its app, and phones make none so") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (app, other) = (try rows.app("one"), try rows.app("two"))
            let device = try rows.device("a", in: app)
            try ledger.put(DeviceProfile(tags: ["fans", "own"], attributes: ["role": "staff"]), of: device)
            for own: TraitName in [.tag("fans"), .tag("own"), .attribute("role")] {
                try require(wasPhones(own, in: app, ledger), is: nil, "\(own)")
            }
            try ledger.put(User(app: app, externalID: "u", tags: ["fans", "role"], tagGroups: ["g": ["grouped"]]))
            try require(wasPhones(.tag("fans"), in: app, ledger), is: true, "a tag that a phone has")
            try require(wasPhones(.tag("role"), in: app, ledger), is: false, "a tag that is named as an attribute")
            try require(wasPhones(.tag("grouped"), in: app, ledger), is: nil, "a tag in a group")
            try ledger.put(Traits(tags: ["own"], attributes: ["role": "guest", "new": 1]), of: device)
            try ledger.put(Traits(), of: device)
            try ledger.removeUser("u", of: app)
            try require(wasPhones(.tag("own"), in: app, ledger), is: true, "a tag of a device")
            try require(wasPhones(.attribute("role"), in: app, ledger), is: true, "an attribute of a device")
            try require(wasPhones(.attribute("new"), in: app, ledger), is: false, "a name of the backend's alone")
            try require(wasPhones(.tag("fans"), in: app, ledger), is: true, "a name that nobody has any more")
            try require(ledger.backendName(.tag("fans"), in: other), is: nil, "another app's")
        },
        LedgerCheck("A device that was forgotten has nothing left but the places of its cards") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            try ledger.put(User(app: app, externalID: "u", tags: ["x"], attributes: ["city": "Ankara"]))
            var device = try rows.device("a", in: app, user: "u")
            let other = try rows.device("b", in: app, user: "u")
            let hash = SecretHash(bytes: Array(repeating: 7, count: 32))
            try ledger.setSecret(hash, of: device.id)
            try ledger.put(Traits(tags: ["own"]), of: device)
            try ledger.put(
                StartToken(
                    device: device.id, type: "A", token: rows.token(1), environment: .sandbox,
                    setAt: ConformanceRows.now),
                in: app)
            let (first, second) = (try rows.activity("m", in: app), try rows.activity("n", in: app))
            let replicas = [
                try rows.replica(1, of: first, on: device, instance: "i"), try rows.replica(1, of: second, on: device),
                try rows.replica(2, of: second, on: device),
            ]
            try rows.replica(3, of: second, on: other)
            device.isForgotten = true
            device.user = nil
            try ledger.forget(device)
            try require(ledger.device(device.id)?.isForgotten, is: true, "it is there")
            try require(ledger.device(secret: hash), is: nil, "by its secret")
            try require(ledger.device(installation: "a", in: app), is: nil, "by its installation")
            try require(ledger.startTokens(of: device.id), is: [], "its start tokens")
            try require(ledger.deviceTraits(of: device.id), is: Traits(), "what was said of it")
            for audience in [Audience.all, .tag("x"), .tag("own"), .user("u"), .device(device.id)] {
                let found = try ledger.deviceIDs(in: audience, of: app, limit: 9)
                try require(!found.contains(device.id), "\(audience) holds it")
            }
            func page(_ activity: Activity, _ ordinal: Int, _ limit: Int) throws -> [Replica] {
                try ledger.replicas(of: device.id, after: activity.id, ordinal: ordinal, limit: limit)
            }
            try require(page(first, 0, 9), is: replicas, "its replicas")
            try require(page(first, 1, 1), is: [replicas[1]], "a page of them")
            try require(page(second, 1, 9), is: [replicas[2]], "the rest")
            var emptied = replicas[0]
            emptied.forget()
            try ledger.update(emptied)
            try require(ledger.replica(ofInstance: "i", on: device.id), is: nil, "its card")
            _ = try rows.device("a", in: app)
        },
        LedgerCheck("Segments are kept by name, each app's own") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (app, other) = (try rows.app("one"), try rows.app("two"))
            let segment = Segment(app: app, name: "b", audience: ["tag": "fans"], updatedAt: ConformanceRows.now)
            var first = segment
            first.name = "a"
            try ledger.put(segment)
            try ledger.put(first)
            try require(ledger.segments(in: app, after: "", limit: 5), is: [first, segment], "in order")
            try require(ledger.segments(in: app, after: "a", limit: 5), is: [segment], "after one")
            try require(ledger.segment("b", in: other), is: nil, "in another app")
            var changed = segment
            changed.audience = "all"
            try ledger.put(changed)
            try require(ledger.segment("b", in: app), is: changed, "in place of the former")
            try require(ledger.removeSegment("b", of: app), is: true, "removed")
            try require(ledger.removeSegment("b", of: app), is: false, "gone")
            try require(ledger.segment("b", in: app), is: nil, "gone")
        },
    ]

    private static func wasPhones(_ name: TraitName, in app: AppID, _ ledger: any Ledger) throws -> Bool? {
        try ledger.backendName(name, in: app)?.wasPhones
    }
}
