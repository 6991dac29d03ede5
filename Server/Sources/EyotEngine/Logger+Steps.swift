import EyotDomain
import Logging

extension Logger {
    /// Runs a step of a service. A failure is logged, and the next round of the service follows.
    ///
    /// - Returns: nil if the step failed, or was cancelled because the server stops.
    @discardableResult
    package func attempt<Result>(
        _ failure: Message, _ metadata: Metadata = [:], _ step: () async throws -> Result
    ) async -> Result? {
        do {
            return try await step()
        } catch is CancellationError {
            return nil
        } catch {
            stepFailed(failure, error, metadata)
            return nil
        }
    }

    /// Logs that a step failed and is done again.
    ///
    /// An outage of the database has a line of its own when it begins. The steps that fail meanwhile are several a
    /// second, and of interest only to those who search for a fault in Eyot.
    package func stepFailed(_ failure: Message, _ error: any Error, _ metadata: Metadata = [:]) {
        log(
            level: error as? EyotError == .databaseOutage ? .debug : .error, failure,
            metadata: metadata.merging(["error": "\(error)"]) { _, error in error })
    }
}
