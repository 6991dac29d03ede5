import APNSWire
import EyotContract
import EyotDomain

/// A step of the history: why pushes wait that did not get through, for a card and for an app.
enum FailureTables {
    static let migration = Schema.Migration(name: "failures of Apple", worksSince: 17) { dialect in
        ["ALTER TABLE replicas ADD COLUMN retry_reason \(dialect.text)"]
            + PushEnvironment.allCases.flatMap { environment in
                [
                    "ALTER TABLE apps ADD COLUMN \(environment.rawValue)_failing_reason \(dialect.text)",
                    "ALTER TABLE apps ADD COLUMN \(environment.rawValue)_failing_since \(dialect.integer)",
                    "ALTER TABLE apps ADD COLUMN \(environment.rawValue)_failed_at \(dialect.integer)",
                ]
            }
    }
}
