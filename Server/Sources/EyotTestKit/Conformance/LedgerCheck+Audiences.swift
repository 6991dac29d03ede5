import EyotContract
import EyotDomain

extension LedgerCheck {
    static let audiences = [
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

    static func pages(
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
