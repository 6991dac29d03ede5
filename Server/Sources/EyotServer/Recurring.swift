import EyotDomain
import ServiceLifecycle

/// Does something again and again until the server stops, and once more then.
///
/// - Parameter seconds: between two times, and before the first.
func recurring(each seconds: Double, by clock: any WallClock, _ body: @escaping @Sendable () async -> Void) async {
    await cancelWhenGracefulShutdown {
        // Cancelled when the server stops.
        while (try? await clock.pause(seconds: seconds)) != nil { await body() }
    }
    await body()
}
