import EyotStore
import Foundation
import Synchronization

/// The last commits that were answered to this process, for each of its writers. A server that lacks one of them has
/// forgotten it.
final class KnownCommits: Sendable {
    private struct Commit {
        var number: Int64
        /// Seconds since 1970.
        var at: Int64
    }

    /// Seconds for which a commit is looked for. Marks that are much older are removed.
    private static let memory: Int64 = 86_400

    private let last = Mutex<[String: Commit]>([:])

    func note(_ mark: CommitMark) {
        let commit = Commit(number: mark.answered, at: Int64(Date().timeIntervalSince1970))
        last.withLock { $0[mark.writer] = commit }
    }

    /// Forgets them, because the server was found to lack some.
    func clear() { last.withLock { $0 = [:] } }

    /// Whether the server has all of them.
    func areKept(on connection: PostgresConnection) throws -> Bool {
        let oldest = Int64(Date().timeIntervalSince1970) - Self.memory
        return try last.withLock { $0.filter { $0.value.at > oldest } }
            .allSatisfy { writer, commit in try CommitMark.number(of: writer, on: connection) ?? -1 >= commit.number }
    }
}
