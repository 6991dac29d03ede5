/// Where the rows are kept.
///
/// Transactions are closures that may be run again, so they touch nothing but the ledger they are given.
package protocol Store: Sendable {
    /// Reads in one snapshot.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result

    /// Reads devices and cards by an audience, in one snapshot.
    ///
    /// Searches have connections of their own. One app does not get all of them, and each search ends after some
    /// seconds.
    ///
    /// - Throws: `audienceTooCostly` if the search takes too long, `tooManyCalls` if too many of the app wait.
    func search<Result: Sendable>(
        of app: AppID, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result

    /// Writes in one transaction, all or nothing. What it wrote is durable when this returns (R9); several writes may
    /// share one commit. A body that throws undoes its own writes and nobody else's.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result

    /// Writes like ``write(_:)``, and before those who wait there: for whoever pushes, whose verdicts nobody says twice. It asks for
    /// few at a time, whatever comes in.
    func writeUrgently<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result

    /// Does what ``write(_:)`` does, and undoes it: what a call would have led to.
    func tryOut<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result

    /// Activities that committed writes made due. One consumer; a hint that may be lost, since due activities are also
    /// found in the store.
    var woken: AsyncStream<[ActivityID]> { get }

    /// Counts the commits that changed an app or a key of one, each before its writer is answered, and may count more. Nil where others may
    /// have changed them unseen: then nothing of them may be remembered from one transaction to the next.
    var accessVersion: Int? { get }

    /// Whether the store answers; for readiness.
    func check() async throws

    /// Clears what the store keeps of rows that were removed, as far as it keeps any: for those that said who
    /// somebody is.
    func foldLog() async throws
}

extension Store {
    /// For stores where nobody waits.
    package func search<Result: Sendable>(
        of app: AppID, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result { try await read(body) }

    /// For stores where nobody waits.
    package func writeUrgently<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result { try await write(body) }

    package func tryOut<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        do {
            return try await write { throw Undone(result: try body($0)) }
        } catch let undone as Undone<Result> {
            return undone.result
        }
    }

    package var accessVersion: Int? { nil }

    package func foldLog() async throws {}
}

/// Thrown out of a transaction that is to leave nothing.
private struct Undone<Result: Sendable>: Error {
    var result: Result
}
