import EyotCommands
import EyotDomain
import Logging
import ServiceLifecycle

/// Tells those who wait on lists, one short transaction after the other, the lists by turns, and starts those who have come to belong to
/// audiences that stay open.
struct Teller: Service {
    /// Seconds between two looks where there was nobody to tell. Requests tell the first of their members themselves.
    private static let pause = 0.2
    /// Lists that take turns.
    private static let lists = 100

    let store: any Store
    let clock: any WallClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            do {
                while true {
                    if await round() { continue }
                    try await clock.pause(seconds: Self.pause)
                }
            } catch {
                // Cancelled: who is left waits for the next start.
            }
        }
    }

    /// - Returns: whether there may be more.
    private func round() async -> Bool {
        do {
            let lists = try await store.read { try $0.memberLists(after: 0, limit: Self.lists) }
            for list in lists {
                try Task.checkCancellation()
                try await store.write { try TellMembers(ledger: $0, now: clock.now)(list.id) }
            }
            let looks = try await store.read { try TellLive.looks(in: $0, at: clock.now) }
            for look in looks {
                try Task.checkCancellation()
                try await store.write { try TellLive(ledger: $0, now: clock.now).take(look) }
            }
            // Asked first by reading: where nobody has changed, nothing is written.
            let hasChanged = try await store.read { try !$0.changedDevices(limit: 1).isEmpty }
            if hasChanged { _ = try await store.write { try TellLive(ledger: $0, now: clock.now).lookAtChanged() } }
            return !lists.isEmpty || !looks.isEmpty || hasChanged
        } catch is CancellationError {
            return false
        } catch {
            logger.error(
                "Members could not be told what was declared; they are told again", metadata: ["error": "\(error)"])
            return false
        }
    }
}
