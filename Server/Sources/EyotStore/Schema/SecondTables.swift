/// The second step of the history: lost starts, former users, members that stay, and the pace of channels.
enum SecondTables {
    static let migration = Schema.Migration(name: "lost starts and sticky members") { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            "ALTER TABLE declarations ADD COLUMN start_alert \(text)",
            "ALTER TABLE declarations ADD COLUMN stale_after \(integer)",
            "ALTER TABLE type_profiles ADD COLUMN stale_after \(integer)",
            "ALTER TABLE type_profiles ADD COLUMN relevance_score \(text)",
            "ALTER TABLE devices ADD COLUMN user_since \(integer)",
            "ALTER TABLE devices ADD COLUMN former_user \(text)",
            "ALTER TABLE replicas ADD COLUMN lease_alerted \(integer)",
            "ALTER TABLE replicas ADD COLUMN closed_version \(integer) NOT NULL DEFAULT 0",
            "ALTER TABLE replicas ADD COLUMN restart \(integer) NOT NULL DEFAULT 0",
            "ALTER TABLE activities ADD COLUMN end_replaced_at \(integer)",
            "ALTER TABLE apps ADD COLUMN sandbox_resumed_at \(integer)",
            "ALTER TABLE apps ADD COLUMN production_resumed_at \(integer)",
            "ALTER TABLE channels ADD COLUMN broadcast_second \(integer) NOT NULL DEFAULT 0",
            "ALTER TABLE channels ADD COLUMN slowed_until \(integer)",
        ]
    }
}
