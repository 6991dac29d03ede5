import EyotCommands
import EyotDomain
import EyotEngine
import Logging
import ServiceLifecycle

/// The service that passes new events on to those who follow them.
struct EventFeedService: Service {
    let feed: EventFeed
    let commands: Commands
    /// Whether the server is about to stop. Connections of followers would keep it from doing so.
    let isDraining: @Sendable () -> Bool
    let logger: Logger

    func run() async throws {
        await recurring(each: EventFeed.interval, by: commands.clock) {
            guard !isDraining() else { return feed.close() }
            await logger.attempt("Events could not be passed on") { try await feed.look(by: commands) }
        }
        feed.close()
    }
}
