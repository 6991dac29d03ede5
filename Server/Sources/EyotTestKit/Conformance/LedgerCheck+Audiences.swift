import EyotContract
import EyotDomain

extension LedgerCheck {
    /// Expressions that differ in what an index can answer, and in what anonymous devices make of them.
    private static func expressions(device: DeviceID) -> [Audience] {
        [
            .all, .tag("fans"), .tag("none"), .user("u1"), .device(device), .osAtLeast(OSVersion(17, 2)),
            .appVersion("1.2"), .appVersion("1"), .not(.appVersion("1.2")),
            .not(.user("u1")), .not(.tag("fans")), .not(.all), .and([]), .or([]),
            .and([.osAtLeast(OSVersion(17)), .tag("fans")]), .and([.tag("fans"), .tag("vip")]),
            .or([.tag("fans"), .user("u4"), .device(device)]), .and([.not(.tag("vip")), .tag("fans")]),
            .not(.or([.tag("fans"), .not(.osAtLeast(OSVersion(18)))])), .and([.all, .not(.not(.user("u2")))]),
            .or((0..<900).map { .user("u\($0)") }),
            .and((0..<12).reduce([.tag("fans")]) { parts, _ in [.or(parts)] }),
        ]
    }

    static let audiences = [
        LedgerCheck("An audience holds the devices that its meaning says, page by page in order") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (app, other) = (try rows.app("one"), try rows.app("two"))
            let tags: [String: Set<String>] = ["u0": ["fans"], "u1": ["fans", "vip"], "u2": ["vip"], "u3": []]
            for app in [app, other] {
                for (user, tags) in tags { try ledger.put(User(app: app, externalID: user, tags: tags)) }
            }
            var devices: [Device] = []
            for index in 0..<24 {
                let user = index % 6 == 5 ? nil : "u\(index % 6)"
                let os = OSVersion(16 + index % 4, index % 3)
                devices.append(try rows.device("d\(index)", in: app, user: user, os: os))
                _ = try rows.device("d\(index)", in: other, user: user, os: os)
            }
            for audience in expressions(device: devices[7].id) {
                let expected = devices.filter { audience.contains($0, tags: $0.user.flatMap { tags[$0] } ?? []) }
                for limit in [1, 5, 100] {
                    try require(
                        pages(of: audience, in: app, by: limit, ledger), is: expected.map(\.id),
                        "\(String(describing: audience).prefix(80)) by \(limit)")
                }
            }
        },
        LedgerCheck("An audience follows users who change their tags and devices that change their user") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            var first = try rows.device("a", in: app, user: "u")
            let second = try rows.device("b", in: app, user: "v")
            func fans() throws -> [DeviceID] { try pages(of: .tag("fans"), in: app, by: 10, ledger) }
            try ledger.put(User(app: app, externalID: "u", tags: ["fans"]))
            try require(fans(), is: [first.id], "tagged after it registered")
            try ledger.put(User(app: app, externalID: "v", tags: ["fans"]))
            try require(fans(), is: [first.id, second.id], "both")
            first.user = nil
            try ledger.update(first)
            try require(fans(), is: [second.id], "after a logout")
            first.user = "v"
            try ledger.update(first)
            try ledger.put(User(app: app, externalID: "u", tags: []))
            try require(fans(), is: [first.id, second.id], "as another user")
            try ledger.put(User(app: app, externalID: "v", tags: ["vip"]))
            try require(fans(), is: [], "when the tag is gone")
        },
        LedgerCheck("A device has tags of its own beside its user's, and attributes, in place of the former ones") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            var device = try rows.device("a", in: app, user: "u")
            let other = try rows.device("b", in: app, user: "u")
            func fans() throws -> [DeviceID] { try pages(of: .tag("fans"), in: app, by: 10, ledger) }
            try require(ledger.deviceProfile(of: device.id), is: DeviceProfile(), "before anything is said")
            let attributes: [String: AttributeValue] = ["team": "ARG", "seats": 2.5, "vip": false]
            try ledger.put(DeviceProfile(tags: ["fans", "vip"], attributes: attributes), of: device)
            try require(fans(), is: [device.id], "by its own tag")
            try ledger.put(User(app: app, externalID: "u", tags: ["fans"]))
            try require(fans(), is: [device.id, other.id], "by both")
            try ledger.put(User(app: app, externalID: "u", tags: []))
            try require(fans(), is: [device.id], "when the user's is gone")
            device.user = nil
            try ledger.update(device)
            try require(fans(), is: [device.id], "after a logout")
            try require(
                ledger.deviceProfile(of: device.id), is: DeviceProfile(tags: ["fans", "vip"], attributes: attributes),
                "as it was put")
            try ledger.put(DeviceProfile(attributes: ["team": "FRA"]), of: device)
            try require(fans(), is: [], "when its own is gone")
            try require(ledger.deviceProfile(of: device.id), is: DeviceProfile(attributes: ["team": "FRA"]), "the last")
            try ledger.removeDevice(device.id)
            try require(ledger.deviceProfile(of: device.id), is: DeviceProfile(), "when the device is gone")
        },
    ]

    private static func pages(
        of audience: Audience, in app: AppID, by limit: Int, _ ledger: any Ledger
    ) throws -> [DeviceID] {
        var found: [DeviceID] = []
        while true {
            let page = try ledger.devices(
                in: audience, of: app, after: found.last ?? DeviceID(rawValue: 0), limit: limit)
            try require(page.count <= limit, "a page of \(page.count) where \(limit) was the limit")
            found += page.map(\.id)
            guard page.count == limit else { return found }
        }
    }
}
