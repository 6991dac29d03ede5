import EyotDomain
import ServiceLifecycle

/// Repeats `body` until the server stops, and runs it once more then.
///
/// - Parameter seconds: The pause between two runs, and before the first.
func recurring(each seconds: Double, by clock: any WallClock, _ body: @escaping @Sendable () async -> Void) async {
    await cancelWhenGracefulShutdown {
        // Cancelled when the server stops.
        while (try? await clock.pause(seconds: seconds)) != nil { await body() }
    }
    await body()
}
