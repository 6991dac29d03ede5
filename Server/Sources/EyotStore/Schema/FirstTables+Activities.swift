import EyotDomain

extension FirstTables {
    static func activities(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE activities (
                id \(dialect.identity),
                app \(integer) NOT NULL REFERENCES apps (id),
                name \(text) NOT NULL,
                generation \(integer) NOT NULL CHECK (generation > 0),
                created_at \(integer) NOT NULL,
                type \(text),
                type_declared \(integer) NOT NULL CHECK (type_declared IN (0, 1)),
                version \(integer) NOT NULL,
                everyone \(integer) NOT NULL,
                everyone_as_of \(integer),
                latest_as_of \(integer),
                scoped_as_of \(integer),
                alert \(integer) NOT NULL,
                urgent \(integer) NOT NULL,
                end_version \(integer),
                ended_at \(integer),
                starts_at \(integer),
                ends_at \(integer),
                dismisses_at_end \(integer) NOT NULL CHECK (dismisses_at_end IN (0, 1)),
                untold_scopes \(integer) NOT NULL CHECK (untold_scopes >= 0),
                halted_at \(integer),
                canary \(text),
                next_ordinal \(integer) NOT NULL CHECK (next_ordinal > 0),
                due_at \(integer),
                stamp \(integer) NOT NULL,
                tally \(text) NOT NULL,
                is_public \(integer) CHECK (is_public IN (0, 1)),
                users \(text),
                passed_over \(text) CHECK \(anyOf("passed_over", "sandbox", "production", "both")),
                lap_begun \(integer) NOT NULL,
                lap_ended \(integer) NOT NULL CHECK (lap_ended <= lap_begun),
                UNIQUE (app, name, generation),
                CHECK (everyone <= version AND alert <= version),
                CHECK ((end_version IS NULL) = (ended_at IS NULL))
            ) \(dialect.rows)
            """
        ] + activityIndices + [
            """
            CREATE TABLE declarations (
                activity \(integer) NOT NULL REFERENCES activities (id),
                version \(integer) NOT NULL CHECK (version > 0),
                kind \(text) NOT NULL CHECK (kind IN ('state', 'end')),
                members \(integer),
                accepted_at \(integer) NOT NULL,
                as_of \(integer),
                follows \(integer) NOT NULL CHECK (follows < version),
                attributes \(text),
                state \(text),
                alert \(text),
                alert_expires_at \(integer),
                aps \(text),
                urgent \(integer) NOT NULL CHECK (urgent IN (0, 1)),
                stale_date \(integer),
                dismissal_date \(integer),
                relevance_score \(text),
                released_at \(integer),
                priority \(integer) CHECK (priority = 1 OR priority = 5 OR priority = 10),
                PRIMARY KEY (activity, version),
                CHECK (state IS NOT NULL OR kind = 'end'),
                CHECK ((alert IS NULL) = (alert_expires_at IS NULL))
            ) \(dialect.clusteredRows)
            """
        ]
    }

    private static let activityIndices = [
        "CREATE INDEX activities_by_app ON activities (app, id)",
        "CREATE INDEX activities_by_end ON activities (ended_at, id) WHERE ended_at IS NOT NULL",
        // The type comes last, so that activities of a halted type are skipped without reading their rows.
        """
        CREATE INDEX activities_by_due_time ON activities (app, due_at, id, type) \
        WHERE due_at IS NOT NULL AND halted_at IS NULL
        """,
        """
        CREATE INDEX activities_passed_over ON activities (app, passed_over, id, type) \
        WHERE passed_over IS NOT NULL AND halted_at IS NULL
        """,
    ]

    static func operations(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE operations (
                id \(dialect.identity),
                app \(integer) NOT NULL REFERENCES apps (id),
                verb \(text) NOT NULL CHECK \(anyOf("verb", "start", "update", "end", "put")),
                name \(text) NOT NULL,
                activity \(integer),
                generation \(integer) NOT NULL,
                version \(integer) NOT NULL,
                outcome \(text) NOT NULL CHECK \(anyOf("outcome", "applied", "unchanged", "superseded", "unmet")),
                accepted_at \(integer) NOT NULL,
                as_of \(integer),
                starting \(integer) NOT NULL,
                skipped \(text) NOT NULL,
                members \(integer),
                untold \(integer) NOT NULL CHECK (untold >= 0),
                warnings \(text) NOT NULL,
                counts_before \(text) NOT NULL,
                key_id \(integer),
                source \(text),
                completed_at \(integer),
                superseded_by \(integer),
                counts_after \(text),
                CHECK ((completed_at IS NULL) = (counts_after IS NULL))
            ) \(dialect.rows)
            """,
            "CREATE INDEX operations_by_source ON operations (app, source, activity, id) WHERE source IS NOT NULL",
            "CREATE INDEX operations_by_time ON operations (app, accepted_at, id) WHERE source IS NOT NULL",
            "CREATE INDEX operations_by_age ON operations (accepted_at, id) WHERE untold = 0",
            "CREATE INDEX operations_under_way ON operations (activity, id) WHERE completed_at IS NULL AND untold = 0",
        ]
    }

    /// The stored answers to repeated calls. Answers of an app are numbered, so that the oldest are found without
    /// counting. The operator's own answers have the app 0.
    static func answers(_ dialect: SQLDialect) -> [String] {
        let (integer, text, blob) = (dialect.integer, dialect.text, dialect.blob)
        return [
            """
            CREATE TABLE answers (
                app \(integer) NOT NULL,
                key \(text) NOT NULL,
                digest \(blob) NOT NULL,
                status \(integer) NOT NULL,
                body \(text),
                headers \(text) NOT NULL,
                answered_at \(integer) NOT NULL,
                number \(dialect.rising) NOT NULL,
                PRIMARY KEY (app, key)
            ) \(dialect.clusteredRows)
            """,
            "CREATE UNIQUE INDEX answers_by_number ON answers (app, number)",
            "CREATE INDEX answers_by_age ON answers (answered_at)",
        ]
    }

    static func replicas(_ dialect: SQLDialect) -> [String] {
        let (integer, text, blob) = (dialect.integer, dialect.text, dialect.blob)
        let phases = anyOf(
            "phase", "starting", "waitingForToken", "live", "ended", "dismissed", "dead", "notStarted", "untracked")
        return [
            // The columns that a page of the ring reads come first, because SQLite reads a row up to the last column it
            // needs.
            """
            CREATE TABLE replicas (
                activity \(integer) NOT NULL REFERENCES activities (id),
                ordinal \(integer) NOT NULL CHECK (ordinal > 0),
                joined \(integer) NOT NULL CHECK (joined >= 0),
                token \(blob),
                token_environment \(text) CHECK (token_environment IN ('sandbox', 'production')),
                token_version \(integer),
                token_set_at \(integer),
                accepted \(integer) NOT NULL,
                alerted \(integer) NOT NULL,
                scoped \(integer) NOT NULL,
                scoped_alert \(integer) NOT NULL,
                last_second \(integer) NOT NULL,
                appeared_at \(integer),
                created_at \(integer) NOT NULL,
                device \(integer) NOT NULL REFERENCES devices (id),
                starts_at \(integer),
                phase \(text) NOT NULL CHECK \(phases),
                phase_reason \(text),
                quarantined \(integer) NOT NULL CHECK (quarantined IN (0, 1)),
                suspect_of \(integer),
                instance \(text),
                lease_state \(text) CHECK \(anyOf("lease_state", "planned", "sent", "accepted", "unknown")),
                lease_version \(integer),
                lease_sent_at \(integer),
                lease_suspicion \(text),
                lease_called_off \(text),
                token_suspicion \(text),
                scoped_as_of \(integer),
                ending \(integer),
                blocked \(integer) NOT NULL,
                blocked_reason \(text),
                retry_attempts \(integer),
                retry_not_before \(integer),
                retry_version \(integer),
                pardoned \(integer) NOT NULL CHECK (pardoned IN (0, 1)),
                sparing \(integer) NOT NULL CHECK (sparing IN (0, 1)),
                locally_changed \(integer),
                following \(integer) NOT NULL CHECK (following IN (0, 1)),
                PRIMARY KEY (activity, ordinal),
                CHECK ((phase_reason IS NOT NULL) = (phase IN ('dead', 'notStarted'))),
                CHECK (phase <> 'live' OR token IS NOT NULL),
                CHECK (joined = 0 OR phase = 'live'),
                CHECK (phase <> 'starting' OR lease_state IS NOT NULL),
                CHECK ((token IS NULL) = (token_environment IS NULL))
            ) \(dialect.clusteredRows)
            """,
            "CREATE UNIQUE INDEX replicas_by_instance ON replicas (device, instance) WHERE instance IS NOT NULL",
            "CREATE INDEX replicas_by_device ON replicas (device, activity, ordinal, starts_at)",
            "CREATE INDEX replicas_with_dead_token ON replicas (activity, ordinal) WHERE phase = 'dead'",
            """
            CREATE INDEX replicas_under_suspicion ON replicas (suspect_of, activity, ordinal) \
            WHERE suspect_of IS NOT NULL
            """,
            // The index holds all columns that its query reads. Otherwise SQLite would rather read the whole page.
            """
            CREATE INDEX replicas_outside_the_ring ON replicas (activity, ordinal, joined, phase) \
            WHERE \(Replica.isOutsideTheRing())
            """,
            "CREATE INDEX replicas_with_unanswered_start ON replicas (activity, ordinal) WHERE lease_state = 'sent'",
        ]
    }

    static func ring(_ dialect: SQLDialect) -> [String] {
        let integer = dialect.integer
        return [
            """
            CREATE TABLE ring_pages (
                activity \(integer) NOT NULL REFERENCES activities (id),
                number \(integer) NOT NULL CHECK (number >= 0),
                taken \(integer) NOT NULL,
                settled \(integer) NOT NULL CHECK (settled <= taken),
                accepted \(integer) NOT NULL,
                alerted \(integer) NOT NULL,
                last_second \(integer) NOT NULL,
                spaced_second \(integer) NOT NULL,
                is_end \(integer) NOT NULL CHECK (is_end IN (0, 1)),
                seen \(integer) NOT NULL,
                look_at \(integer),
                owes \(integer) NOT NULL CHECK (owes IN (0, 1)),
                holds \(integer) NOT NULL CHECK (holds IN (0, 1)),
                changes \(integer) NOT NULL,
                PRIMARY KEY (activity, number)
            ) \(dialect.clusteredRows)
            """,
            // Few pages at a time, whatever their number: those on their way, and those with a changed replica.
            "CREATE INDEX ring_pages_unseen ON ring_pages (activity, number) WHERE seen = \(RingPage.unseen)",
            // The index holds all columns that its query reads. Otherwise SQLite would rather read all pages of the
            // activity.
            "CREATE INDEX ring_pages_that_owe ON ring_pages (activity, owes, seen) WHERE owes = 1",
            "CREATE INDEX ring_pages_that_hold ON ring_pages (activity, holds) WHERE holds = 1",
            // Without `seen`, which changes with each update. With it, each update would write one more page of the
            // file.
            "CREATE INDEX ring_pages_by_time ON ring_pages (activity, look_at) WHERE look_at IS NOT NULL",
        ]
    }
}
