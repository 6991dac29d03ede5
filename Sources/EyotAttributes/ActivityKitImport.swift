import Foundation

// The one place that knows where Live Activities come from: the system's framework, or its stand-in where there is none.
#if canImport(ActivityKit)
    @_exported import ActivityKit

    @available(iOS 16.1, *)
    extension Activity {
        /// What a pushed start calls the type in `attributes-type`: its bare name. (What a nested type is called there,
        /// Apple does not say.)
        package static var typeName: String { String(describing: Attributes.self) }
    }

    extension ProcessInfo {
        /// Asks the system not to put the app to sleep while this runs, some 30 seconds at most. It works in extensions too.
        ///
        /// - Parameter reason: for the system's log.
        package func holdAwake(for reason: String, _ body: @Sendable () async -> Void) async {
            let isOver = DispatchSemaphore(value: 0)
            performExpiringActivity(withReason: reason) { isExpiring in
                // The first call holds the system off by not returning; the second, on another thread, says that the time is up.
                if isExpiring { isOver.signal() } else { isOver.wait() }
            }
            await body()
            isOver.signal()
        }
    }
#else
    @_exported import ActivityKitStandIn
#endif
