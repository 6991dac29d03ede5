import EyotLab
import EyotPostgres

/// A server of PostgreSQL and a standby that follows it and can take its place.
package struct PostgresPair: Sendable {
    package let primary: ThrowawayPostgres
    package let standby: ThrowawayPostgres
    /// The URL of a database on whichever of them takes writes.
    package let url: PostgresURL

    /// - Parameter isSynchronous: Whether the standby has each commit before the commit is answered.
    package static func start(isSynchronous: Bool) async throws -> PostgresPair {
        let primary = try await ThrowawayPostgres.start()
        // With the setting of its primary it would answer no commit, once it has taken over.
        let standby = try await ThrowawayPostgres.start(asStandbyOf: primary, ["synchronous_standby_names="])
        if isSynchronous { try await primary.configure("synchronous_standby_names", to: "*") }
        let hosts = [primary, standby].compactMap { $0.url.split(separator: "@").last?.split(separator: "/").first }
        let user = primary.url.split(separator: "@")[0]
        let url = PostgresURL("\(user)@\(hosts.joined(separator: ","))/postgres?target_session_attrs=read-write")
        guard let url else { throw LabError.postgres("its URL") }
        return PostgresPair(primary: primary, standby: standby, url: url)
    }

    /// Cuts the standby off when it has everything. It learns nothing of what is committed from now on.
    package func cutOff() async throws {
        try await wait(until: "(SELECT bool_and(replay_lsn >= pg_current_wal_lsn()) FROM pg_stat_replication)")
        try await standby.configure("primary_conninfo", to: "")
        try await wait(until: "NOT EXISTS (SELECT 1 FROM pg_stat_replication)")
    }

    private func wait(until condition: String) async throws {
        try await primary.run(
            """
            DO $$ BEGIN WHILE (\(condition)) IS NOT TRUE LOOP \
            PERFORM pg_sleep(0.01); PERFORM pg_stat_clear_snapshot(); END LOOP; END $$
            """)
    }

    /// Kills the server, and lets the standby take its place.
    package func failOver() async throws {
        try await primary.stopServer(.immediate)
        try await standby.promote()
    }

    package func stop() async {
        await standby.stop()
        await primary.stop()
    }
}
