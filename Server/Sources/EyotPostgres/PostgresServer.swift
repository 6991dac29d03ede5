import EyotStore

/// The settings of a server that decide whether Eyot works with it.
struct PostgresServer {
    /// The lowest version of the server, as libpq counts.
    private static let oldestVersion = 140_000

    /// The version as libpq counts, such as 150018 for 15.18.
    var version = oldestVersion
    var fsync = "on"
    var fullPageWrites = "on"
    var synchronousCommit = "on"
    var encoding = "UTF8"
    /// The setting `synchronous_standby_names`; empty if no standby is synchronous.
    var synchronousStandbys = ""
    var isStandby = false

    /// Its clock, in microseconds since 1970.
    static let time = SQLStatement("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)")

    private static let settings = SQLStatement(
        """
        SELECT current_setting('fsync'), current_setting('full_page_writes'), \
        current_setting('synchronous_commit'), current_setting('server_encoding'), \
        current_setting('synchronous_standby_names'), pg_is_in_recovery()
        """)

    init() {}

    init(on connection: PostgresConnection) throws {
        version = try connection.connected().serverVersion
        try connection.forEachRow(Self.settings, []) { row in
            (fsync, fullPageWrites) = (try row.text(), try row.text())
            (synchronousCommit, encoding) = (try row.text(), try row.text())
            (synchronousStandbys, isStandby) = (try row.text(), try row.flag())
        }
    }

    /// Checks that a commit is durable, and that the server understands the program.
    ///
    /// - Throws: ``StoreError/notDurable(setting:found:)``, ``StoreError/unsupported(_:)``.
    func check() throws {
        guard version >= Self.oldestVersion else {
            throw StoreError.unsupported("it is PostgreSQL \(version / 10_000), and Eyot needs 14 or newer")
        }
        for (setting, value) in [("fsync", fsync), ("full_page_writes", fullPageWrites)] where value != "on" {
            throw StoreError.notDurable(setting: setting, found: value)
        }
        let isEnough = synchronousCommit != "off" && (synchronousCommit != "local" || synchronousStandbys.isEmpty)
        guard isEnough else { throw StoreError.notDurable(setting: "synchronous_commit", found: synchronousCommit) }
        guard encoding == "UTF8" else {
            throw StoreError.unsupported("its encoding is \(encoding), and Eyot needs UTF8")
        }
        guard !isStandby else {
            throw StoreError.unsupported(
                "it is a standby, which only reads: name its primary too, with target_session_attrs=read-write")
        }
    }
}
