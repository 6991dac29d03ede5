import EyotCommands
import EyotDomain
import EyotEngine
import Logging
import ServiceLifecycle

/// The service that stores which keys were used, at intervals and when the server stops.
struct KeyUseService: Service {
    let uses: KeyUses
    let store: any Store
    let clock: any WallClock
    let logger: Logger

    func run() async throws { await recurring(each: APIKey.usePrecision, by: clock) { await write() } }

    private func write() async {
        await logger.attempt("Uses of keys could not be noted; they are tried again") {
            try await uses.write(to: store)
        }
    }
}
