import Foundation

#if canImport(Network)
    import Network
#endif

/// A signal of the system that makes the SDK look again.
package enum SystemSignal: Sendable, Equatable {
    /// The app comes to the foreground.
    case foreground
    /// The network is back after it was gone.
    case networkBack
}

/// A source of such signals. Tests have their own.
package protocol SystemSignalSource: Sendable {
    /// Returns the signals from now on. At most 16 wait for a slow reader; older ones are dropped.
    func signals() -> AsyncStream<SystemSignal>
}

/// The system's own signals. Notifications are observed by name and the network by `NWPathMonitor`, so the SDK links no
/// UIKit and also runs in extensions.
package struct SystemSignals: SystemSignalSource {
    /// UIKit's notification that an app is about to come to the foreground, and that of an extension's host.
    package static let foregroundNames = [
        "UIApplicationWillEnterForegroundNotification", "NSExtensionHostWillEnterForegroundNotification",
    ]

    private let center: NotificationCenter

    package init(center: NotificationCenter = .default) { self.center = center }

    package func signals() -> AsyncStream<SystemSignal> {
        let (signals, signal) = AsyncStream.makeStream(of: SystemSignal.self, bufferingPolicy: .bufferingNewest(16))
        let observers = Observers(
            Self.foregroundNames.map { name in
                center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
                    signal.yield(.foreground)
                }
            }, in: center)
        let stopMonitor = Self.monitorNetwork { signal.yield(.networkBack) }
        signal.onTermination = { _ in
            observers.remove()
            stopMonitor()
        }
        return signals
    }

    #if canImport(Network)
        private static func monitorNetwork(_ isBack: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            let monitor = NWPathMonitor()
            let changes = Guarded(NetworkChanges())
            monitor.pathUpdateHandler = { path in
                if changes.withLock({ $0.isBack(path.status == .satisfied) }) { isBack() }
            }
            monitor.start(queue: DispatchQueue(label: "dev.eyot.network"))
            return { monitor.cancel() }
        }
    #else
        private static func monitorNetwork(_ isBack: @escaping @Sendable () -> Void) -> @Sendable () -> Void { {} }
    #endif

    /// The tokens by which a notification centre identifies observers.
    ///
    /// Unchecked: the centre accepts calls from any thread, and the tokens are only passed back to it.
    private final class Observers: @unchecked Sendable {
        private let tokens: [any NSObjectProtocol]
        private let center: NotificationCenter

        init(_ tokens: [any NSObjectProtocol], in center: NotificationCenter) {
            self.tokens = tokens
            self.center = center
        }

        func remove() {
            for token in tokens { center.removeObserver(token) }
        }
    }
}

/// A filter that finds the return of the network among its many other changes.
package struct NetworkChanges: Sendable {
    private var wasUsable: Bool?

    package init() {}

    /// Whether the network is back after it was gone.
    ///
    /// - Parameter isUsable: whether the network is usable now.
    package mutating func isBack(_ isUsable: Bool) -> Bool {
        defer { wasUsable = isUsable }
        return isUsable && wasUsable == false
    }
}
