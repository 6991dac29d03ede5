import EyotContract
import EyotMetrics

/// What health knows beside the store: kept in memory, and never asked of the database.
package struct HealthSource: Sendable {
    /// The connections to one of Apple's services.
    package struct Apple: Sendable {
        package var environment: PushEnvironment
        /// The name of the service.
        package var service: String
        package var ready: Int
        /// Failed connections in a row.
        package var failures: Int

        package init(environment: PushEnvironment, service: String, ready: Int, failures: Int) {
            (self.environment, self.service, self.ready, self.failures) = (environment, service, ready, failures)
        }

        /// Whether the last tries failed and no connection is left.
        var isUnreachable: Bool { ready == 0 && failures > 0 }
    }

    /// The services that were used since the start.
    package var apple: @Sendable () -> [Apple] = { [] }
    package var apps = AppStates()

    package init() {}
}
