/// What a search is for. It decides which of an app's searches has the next turn.
package enum SearchPurpose: Sendable, Hashable {
    /// To find the devices and replicas of a declaration, because cards wait for them.
    case declaration
    /// To answer a question, such as a count or a preview.
    case question
}

/// The store that keeps the rows.
///
/// A transaction is a closure that may be run again, so it touches nothing but the ledger it is given.
package protocol Store: Sendable {
    /// Reads in one snapshot.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result

    /// Reads few rows by their keys, in one snapshot. It runs on the caller's thread, behind no longer read.
    func look<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result

    /// Reads devices and cards by an audience, in one snapshot.
    ///
    /// Searches have connections of their own. One app does not get all of them, and each search ends after some
    /// seconds. Of an app's waiting searches, those for declarations come first.
    ///
    /// - Throws: `audienceTooCostly` if the search takes too long, `tooManyCalls` if too many of the app wait.
    func search<Result: Sendable>(
        of app: AppID, for purpose: SearchPurpose, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result

    /// Writes in one transaction, all or nothing. Its writes are durable when this returns (R9). Several writes may
    /// share one commit, and a body that throws undoes only its own writes.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result

    /// Like ``write(_:)``, but ahead of queued ordinary writes. The engine uses it for verdicts, which Apple reports
    /// only once. It has few such writes at a time.
    func writeUrgently<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result

    /// Runs a write and undoes it, to find out what a call would do.
    func tryOut<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result

    /// Activities that committed writes made due, for one consumer. An empty list says that another process's writes
    /// made some due. These are hints that may be lost, because due activities are also found in the store.
    var woken: AsyncStream<[ActivityID]> { get }

    /// Counts the commits that changed an app or its keys, and may count others. A commit is counted before its writer
    /// is answered. Nil if other processes may change them unseen: then apps and keys must be read anew in each
    /// transaction.
    var accessVersion: Int? { get }

    /// Checks for readiness whether the store takes writes. The check takes a turn on the writer only if the last
    /// commit failed.
    ///
    /// - Throws: The reason why the store takes no writes.
    func check() async throws

    /// What the store knows of itself, without asking the database.
    var health: StoreHealth { get }

    /// Clears the remains of removed rows from the store's log, if it keeps one. Such rows may identify a person.
    func foldLog() async throws
}

extension Store {
    package var health: StoreHealth { StoreHealth() }

    /// The default for stores without connections.
    package func look<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result { try await read(body) }

    /// The default for stores without queues.
    package func search<Result: Sendable>(
        of app: AppID, for purpose: SearchPurpose, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result { try await read(body) }

    /// Searches to answer a question.
    package func search<Result: Sendable>(
        of app: AppID, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result { try await search(of: app, for: .question, body) }

    /// The default for stores without queues.
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

/// An error that carries the result out of a transaction that is to be undone.
private struct Undone<Result: Sendable>: Error {
    var result: Result
}
