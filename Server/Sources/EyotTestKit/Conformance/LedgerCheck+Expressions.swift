import EyotContract
import EyotDomain

/// Checks of audiences, with devices that differ in every property that an audience can test.
extension LedgerCheck {
    static let expressions = [
        LedgerCheck("An audience holds the devices that its meaning says, page by page in order") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (app, other) = (try rows.app("one"), try rows.app("two"))
            _ = try people(in: other, rows)
            let members = try people(in: app, rows)
            for audience in expressions(device: members[7].device.id) {
                let expected = members.filter { audience.contains($0) }.map(\.device.id)
                for limit in [1, 5, 100] {
                    try require(
                        pages(of: audience, in: app, by: limit, ledger), is: expected,
                        "\(String(describing: audience).prefix(120)) by \(limit)")
                }
                try require(
                    ledger.deviceIDs(in: audience, of: app, limit: 3), is: Array(expected.prefix(3)), "the first ids")
                let builds = Set(members.filter { audience.contains($0) }.map(\.device.appVersion))
                try require(ledger.builds(in: audience, of: app), is: builds, "its builds")
            }
        },
        LedgerCheck("Members are found among more candidates than are looked at together") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            var ids: [DeviceID] = []
            for index in 0..<2_600 {
                let user = "u\(index % 1_300)"
                if index < 1_300 {
                    try ledger.put(User(app: app, externalID: user, tags: [index % 2 == 0 ? "even" : "odd"]))
                }
                ids.append(try rows.device("d\(index)", in: app, user: user).id)
            }
            // Rows that change move, so that a database may read them after others.
            for id in ids.prefix(1_300) { _ = try ledger.advance(id, epoch: 1, to: 1, at: Instant(second: 1)) }
            let users = (0..<1_300).map { "u\($0)" }
            try require(
                pages(of: .or([.tag("even"), .tag("odd")]), in: app, by: 400, ledger), is: ids, "two tags by pages")
            try require(
                ledger.deviceIDs(in: .and([.not(.tag("odd")), .users(users)]), of: app, limit: 10_000),
                is: ids.indices.filter { $0 % 2 == 0 }.map { ids[$0] }, "users without a tag")
            try require(
                ledger.deviceIDs(in: .or([.devices(ids), .tag("even")]), of: app, limit: 2_500),
                is: Array(ids.prefix(2_500)), "devices and a tag")
        },
        LedgerCheck("Ordinals of an audience are those of its devices, however it is read") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activity = try rows.activity(in: app)
            let first = try rows.device("a", in: app, user: "u", version: "1.0 (1)")
            let second = try rows.device("b", in: app, user: "v", version: "2.0 (1)")
            _ = try rows.device("c", in: app, user: "u", version: "3.0 (1)")
            try rows.replica(1, of: activity, on: second)
            try rows.replica(2, of: activity, on: first)
            for audience in [Audience.all, .users(["u", "v"]), .or([.user("u"), .device(second.id)])] {
                let ordinals = try ledger.ordinals(of: activity.id, in: audience, of: app, limit: 10).sorted()
                try require(ordinals, is: [1, 2], "\(audience)")
                try require(
                    ledger.builds(of: activity.id, in: audience, of: app), is: ["1.0 (1)", "2.0 (1)"], "\(audience)")
            }
        },
    ]

    /// Makes devices with users, tags, attributes and tokens. Every sixth is anonymous.
    private static func people(in app: AppID, _ rows: ConformanceRows) throws -> [AudienceMember] {
        let ledger = rows.ledger
        let users = [
            User(
                app: app, externalID: "u0", tags: ["fans"], tagGroups: ["sport": ["vip"]],
                attributes: ["city": "Ankara", "age": 30, "since": "2022-12-18T15:00:00+03:00"],
                aliases: ["crm": "one"]),
            User(
                app: app, externalID: "u1", tags: ["fans", "vip"],
                attributes: ["city": "İzmir", "age": -2.5, "teams": ["ARG", "FRA"]],
                aliases: ["crm": "two", "old": "one"]),
            User(
                app: app, externalID: "u2", tags: ["vip"], tagGroups: ["sport": ["fans"], "news": ["fans"]],
                attributes: ["age": 0, "pro": true, "teams": []]),
            User(app: app, externalID: "u3", attributes: ["since": "2021-01-01T00:00:00Z", "city": "100%_"]),
        ]
        for user in users { try ledger.put(user) }
        let versions = ["1.2", "1.10 (3)", "1.9.4 (27)", "2.0 (1)", "beta"]
        return try (0..<24).map { index in
            let user = index % 6 == 5 ? nil : "u\(index % 6)"
            var device = try rows.device("d\(index)", in: app, user: user, version: versions[index % 5]) {
                $0.osVersion = OSVersion(16 + index % 4, index % 3)
                if index % 7 == 0 { $0.environment = .production }
            }
            device.seenAt = .after(Int64(index) * 86_400_000_000)
            try ledger.update(device)
            var member = AudienceMember(device)
            let said = users.first { $0.externalID == user }
            member.tags[.user] = said?.traits.allTags ?? []
            member.tags[.backend] = said?.traits.allTags ?? []
            member.attributes[.user] = said?.traits.attributes
            member.aliases = Set(said?.aliases.map { UserAlias(label: $0.key, name: $0.value) } ?? [])
            if index % 3 == 0 {
                try ledger.put(
                    DeviceProfile(tags: ["own", "fans"], attributes: ["city": "Paris", "age": 30]), of: device)
                let traits = Traits(tagGroups: ["sport": ["own"]], attributes: ["city": "Ankara"])
                try ledger.put(traits, of: device)
                member.tags[.device] = [Tag("own"), Tag("own", group: "sport"), Tag("fans")]
                member.tags[.backend]?.insert(Tag("own", group: "sport"))
                member.attributes[.device] = ["city": "Ankara", "age": 30]
                member.attributes[.backend] = ["city": "Ankara"]
            }
            if index % 4 == 0 {
                try ledger.put(
                    StartToken(
                        device: device.id, type: index % 8 == 0 ? "A" : "B",
                        token: rows.token(UInt8(truncatingIfNeeded: index + Int(app.rawValue) * 30)),
                        environment: .sandbox,
                        setAt: ConformanceRows.now,
                        death: index == 12 ? TokenDeath(reason: .unregistered, isQuarantine: false) : nil), in: app)
                if index != 12 { member.types = [index % 8 == 0 ? "A" : "B"] }
            }
            return member
        }
    }

    private static func expressions(device: DeviceID) -> [Audience] {
        plain(device: device) + attributes + combined(device: device)
    }

    /// Returns one selector of each kind.
    private static func plain(device: DeviceID) -> [Audience] {
        [
            .all, .tag("fans"), .tag("none"), .tag("fans", group: "sport"), .tag("vip", group: "sport"), .tag("own"),
            .tag("fans", of: .user), .tag("fans", of: .device), .tag("fans", of: .backend), .tag("own", of: .backend),
            .tag("own", group: "sport", of: .backend), .tag("own", group: "sport", of: .user),
            .installation("d3"), .installation("none"), .user("u1"), .users(["u0", "u2", "nobody"]), .users([]),
            .device(device), .devices([device, DeviceID(rawValue: 3)]),
            .alias(UserAlias(label: "crm", name: "two")), .alias(UserAlias(label: "old", name: "two")),
            .type("A"), .type("B"), .type("C"), .osAtLeast(OSVersion(17, 2)), .osBelow(OSVersion(17, 2)),
            .appVersion("1.2"), .appVersion("1"), .environment(.production), .environment(.sandbox),
            .seenAfter(.at(.after(5 * 86_400_000_000))), .seenBefore(.at(.after(5 * 86_400_000_000))),
        ]
            + ["1.2", "1.10", "1.9.5", "2", "2.0 (2)", "0"].compactMap { AppVersion($0) }
            .flatMap { [.appVersionAtLeast($0), .appVersionBelow($0)] }
    }

    private static var attributes: [Audience] {
        func at(_ text: String) -> AudienceTime { .at(Instant(rfc3339: text) ?? ConformanceRows.now) }
        let tests: [(String, AttributeRule.Test)] = [
            ("city", .exists), ("teams", .exists), ("none", .exists), ("city", .equals("Ankara")), ("age", .equals(30)),
            ("age", .equals("30")), ("age", .equals(0)), ("age", .equals(-0.0)), ("pro", .equals(true)),
            ("pro", .equals(false)), ("city", .contains("an")), ("city", .contains("z")), ("city", .contains("0%")),
            ("city", .contains("t")), ("teams", .contains("FRA")), ("teams", .contains("FR")), ("age", .atLeast(0)),
            ("age", .above(0)), ("age", .atMost(-2.5)), ("age", .below(-2.5)), ("age", .below(30.5)),
            ("age", .above(-1e300)), ("city", .above(0)), ("since", .before(at("2022-12-18T12:00:01Z"))),
            ("since", .after(at("2022-12-18T12:00:00Z"))), ("since", .after(at("2020-01-01T00:00:00Z"))),
            ("city", .before(at("2030-01-01T00:00:00Z"))), ("teams", .equals(["ARG", "FRA"])),
        ]
        return tests.flatMap { name, test -> [Audience] in
            // An array is tested by its elements.
            if case .equals(.texts) = test { return [] }
            return [nil, .user, .device, .backend].map { .attribute(AttributeRule(name, of: $0, test)) }
        }
    }

    /// Returns expressions that differ in the use of indices and in the treatment of anonymous devices.
    private static func combined(device: DeviceID) -> [Audience] {
        let city = Audience.attribute(AttributeRule("city", .equals("Ankara")))
        let own = Audience.attribute(AttributeRule("city", of: .device, .equals("Ankara")))
        return [
            .not(.appVersion("1.2")), .not(.user("u1")), .not(.users(["u1", "u2"])), .not(.tag("fans")), .not(.all),
            .and([]), .or([]), .not(.alias(UserAlias(label: "crm", name: "two"))), .not(city), .not(.type("A")),
            .and([.osAtLeast(OSVersion(17)), .tag("fans")]), .and([.tag("fans"), .tag("vip")]),
            .and([.tag("fans"), .users(["u1", "u2"])]), .and([city, .tag("fans")]), .and([.tag("vip"), .not(city)]),
            .or([.tag("fans"), .user("u4"), .device(device)]), .and([.not(.tag("vip")), .tag("fans")]),
            .or([.tag("fans"), .tag("vip", group: "sport")]), .or([city, .tag("vip")]), .or([own, .user("u4")]),
            .or([.and([.tag("fans"), .osAtLeast(OSVersion(18))]), .user("u2")]),
            .and([.or([.tag("fans"), .tag("vip")]), .or([.user("u0"), .user("u2")]), .osBelow(OSVersion(19))]),
            .or([.tag("fans"), .osAtLeast(OSVersion(18))]), .or([.users(["u0"]), .not(.users(["u0", "u1"]))]),
            .not(.or([.tag("fans"), .not(.osAtLeast(OSVersion(18)))])), .and([.all, .not(.not(.user("u2")))]),
            .or((0..<900).map { .user("u\($0)") }), .or((0..<70).map { .tag("t\($0)") } + [.tag("fans")]),
            .and((0..<12).reduce([.tag("fans")]) { parts, _ in [.or(parts)] }),
            .not(.tag("fans", of: .backend)), .and([.tag("fans"), .tag("fans", of: .backend), .not(.user("u0"))]),
            .or([.tag("fans", of: .backend), .attribute(AttributeRule("age", of: .backend, .equals(30)))]),
            .users((0..<1_200).map { "u\($0)" }), .devices((1..<1_200).map { DeviceID(rawValue: $0) }),
        ]
    }
}
