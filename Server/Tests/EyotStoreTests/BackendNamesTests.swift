import EyotContract
import EyotDomain
import EyotTestKit
import GRDB
import Testing

@testable import EyotSQLite
@testable import EyotStore

/// The owners of names in a database that is older than owners of names.
@Suite("Names of an older database", .timeLimit(.minutes(10)))
struct BackendNamesTests {
    @Test func `What backends had set by then is theirs, and only that`() throws {
        let queue = try DatabaseQueue()
        let older = Array(Schema.migrations.prefix(4))
        try queue.write { database in
            try Schema.migrate(GRDBConnection(database), dialect: .sqlite, through: older)
            for statement in Self.rows { try database.execute(sql: statement) }
            try Schema.migrate(GRDBConnection(database), dialect: .sqlite)
        }
        let app = AppID(rawValue: 1)
        let names: [(TraitName, Bool?)] = [
            (.tag("staff"), true), (.tag("vip"), false), (.tag("own"), nil), (.tag("grouped"), nil),
            (.attribute("role"), true), (.attribute("city"), false), (.attribute("mood"), nil),
        ]
        for (name, wasPhones) in names {
            let found = try queue.read { try SQLLedger(GRDBConnection($0)).backendName(name, in: app) }
            #expect(found?.wasPhones == wasPhones, "\(name)")
        }
        for (name, value, device) in [("role", "staff", 1), ("city", "Paris", 2), ("mood", "good", nil as Int64?)] {
            let audience = Audience.attribute(AttributeRule(name, of: .backend, .equals(.text(value))))
            let found = try queue.read {
                try SQLLedger(GRDBConnection($0)).deviceIDs(in: audience, of: app, limit: 9)
            }
            #expect(found.map(\.rawValue) == [device].compactMap(\.self), "\(name)")
        }
    }

    /// Device 1 has a user of the staff, device 2 says that it is of the staff, and the backend says where it is.
    private static let rows = [
        """
        INSERT INTO apps (id, bundle_id, name, public_key, created_at, halted_types, opens_activities) \
        VALUES (1, 'a', 'a', 'a', 0, '{}', 1), (2, 'b', 'b', 'b', 0, '{}', 1)
        """,
        """
        INSERT INTO devices (id, app, installation, created_at, environment, os_major, os_minor, app_version, \
        app_version_order, activities_enabled, frequent_pushes_enabled, external_id, epoch, sequence, seen_at, forgotten, \
        proven, imported) VALUES (1, 1, 'i1', 0, 'sandbox', 18, 0, '1', '', 1, 1, 'u', 1, 0, 0, 0, 0, 0), \
        (2, 1, 'i2', 0, 'sandbox', 18, 0, '1', '', 1, 1, NULL, 1, 0, 0, 0, 0, 0)
        """,
        #"INSERT INTO users (app, external_id, attributes) VALUES (1, 'u', '{"role":"staff"}')"#,
        "INSERT INTO user_tags (app, external_id, tag_group, tag) VALUES (1, 'u', '', 'staff'), (1, 'u', 'g', 'grouped')",
        """
        INSERT INTO device_own_tags (device, source, tag_group, tag, app) \
        VALUES (2, 'app', '', 'staff', 1), (2, 'app', '', 'own', 1), (2, 'backend', '', 'vip', 1)
        """,
        """
        INSERT INTO device_attributes (device, source, app, attributes) VALUES \
        (2, 'app', 1, '{"mood":"good","role":"staff"}'), (2, 'backend', 1, '{"city":"Paris"}')
        """,
        """
        INSERT INTO attribute_values (device, name, kind, value, owner, app) VALUES \
        (1, 'role', 'text', 'staff', 'user', 1), (2, 'role', 'text', 'staff', 'device', 1), \
        (2, 'mood', 'text', 'good', 'device', 1), (2, 'city', 'text', 'Paris', 'device', 1)
        """,
    ]
}
