import EyotDomain

private enum Statements {
    static let testDevice = TestDevice.table.select("WHERE r.app = ?1 AND r.name = ?2")
    static let testDevices = TestDevice.table.select("WHERE r.app = ?1 ORDER BY r.name")
    static let put = TestDevice.table.upsert
    static let remove = SQLStatement("DELETE FROM test_devices WHERE app = ?1 AND name = ?2")
}

extension SQLLedger {
    package func testDevice(_ name: String, in app: AppID) throws -> TestDevice? {
        try first(Statements.testDevice, SQLValue(app), SQLValue(name))
    }

    package func testDevices(of app: AppID) throws -> [TestDevice] { try all(Statements.testDevices, SQLValue(app)) }

    package func put(_ testDevice: TestDevice) throws { try connection.queue(Statements.put, testDevice.values) }

    package func removeTestDevice(_ name: String, of app: AppID) throws -> Bool {
        try connection.execute(Statements.remove, [SQLValue(app), SQLValue(name)]) == 1
    }
}

extension TestDevice: SQLRecord {
    static let table = SQLTable("test_devices", key: "app", "name", changing: ["device", "external_id"])

    var values: [SQLValue] {
        switch target {
        case .device(let id): [SQLValue(app), SQLValue(name), SQLValue(id), .null(.text)]
        case .user(let user): [SQLValue(app), SQLValue(name), .null(.integer), SQLValue(user)]
        }
    }

    init(columns: inout SQLColumns) throws {
        let (app, name) = (AppID(rawValue: try columns.number()), try columns.text())
        let (device, user) = (try columns.optionalNumber(), try columns.optionalText())
        guard let target = device.map({ Target.device(DeviceID(rawValue: $0)) }) ?? user.map(Target.user) else {
            throw columns.unreadable("a device or a user")
        }
        self.init(app: app, name: name, target: target)
    }
}
