import Logging

extension Logger {
    /// Runs a step of a service. A failure is logged, and the next round of the service follows.
    ///
    /// - Returns: nil if the step failed, or was cancelled because the server stops.
    @discardableResult
    func attempt<Result>(
        _ failure: Message, _ metadata: Metadata = [:], _ step: () async throws -> Result
    ) async -> Result? {
        do {
            return try await step()
        } catch is CancellationError {
            return nil
        } catch {
            self.error(failure, metadata: metadata.merging(["error": "\(error)"]) { _, error in error })
            return nil
        }
    }
}
