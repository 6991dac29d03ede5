import EyotDomain

/// The ninth step of the history: webhooks, and events on their way to them.
enum NinthTables {
    static let migration = Schema.Migration(name: "webhooks") { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE webhooks (
                id \(dialect.identity),
                app \(integer) NOT NULL REFERENCES apps (id),
                token \(text) NOT NULL,
                created_at \(integer) NOT NULL,
                cursor \(integer) NOT NULL,
                name \(text) NOT NULL,
                url \(text) NOT NULL,
                types \(text) NOT NULL,
                master_key_id \(text) NOT NULL,
                sealed_secret \(dialect.blob) NOT NULL,
                former_master_key_id \(text),
                former_secret \(dialect.blob),
                former_until \(integer),
                public_key \(text),
                disabled_reason \(text),
                disabled_at \(integer)
            ) \(dialect.rows)
            """,
            "CREATE INDEX webhooks_of_app ON webhooks (app, id)",
            """
            CREATE TABLE webhook_deliveries (
                webhook \(integer) NOT NULL REFERENCES webhooks (id),
                event \(integer) NOT NULL,
                activity \(integer),
                attempts \(integer) NOT NULL,
                claim \(integer) NOT NULL,
                due_at \(integer) NOT NULL,
                dead_at \(integer),
                failed_at \(integer),
                status \(integer),
                failure \(text),
                PRIMARY KEY (webhook, event)
            ) \(dialect.clusteredRows)
            """,
            "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, due_at, event) WHERE dead_at IS NULL",
            """
            CREATE INDEX webhook_deliveries_of_activity ON webhook_deliveries (webhook, activity, event) \
            WHERE dead_at IS NULL AND activity IS NOT NULL
            """,
            "CREATE INDEX webhook_dead_letters ON webhook_deliveries (dead_at) WHERE dead_at IS NOT NULL",
        ]
    }
}
