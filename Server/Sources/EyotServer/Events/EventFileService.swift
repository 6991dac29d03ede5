import EyotDomain
import EyotEngine
import Logging
import ServiceLifecycle

/// The service that writes events to files, if the operator wants them.
struct EventFileService: Service {
    /// Seconds between two looks. A look at an hour that goes on reads one page for each app.
    private static let interval = 60.0

    let files: EventFiles
    let logger: Logger

    func run() async throws {
        await recurring(each: Self.interval, by: files.commands.clock) {
            await logger.attempt("Events could not be written to files; the next try is in a minute") {
                let count = try await files.write()
                if count > 0 { logger.debug("Events were written to files", metadata: ["events": "\(count)"]) }
            }
        }
    }
}
