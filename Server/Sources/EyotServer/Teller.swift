import EyotCommands
import EyotDomain
import Logging
import ServiceLifecycle

/// Tells those who wait on lists, one short transaction after the other, the lists by turns.
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
            return !lists.isEmpty
        } catch is CancellationError {
            return false
        } catch {
            logger.error(
                "Members could not be told what was declared; they are told again", metadata: ["error": "\(error)"])
            return false
        }
    }
}
