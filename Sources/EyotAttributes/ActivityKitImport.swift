import Foundation

// The only place that chooses between the system's ActivityKit and its stand-in. `canImport` is true on a Mac and under
// Catalyst too, where Apple marks every symbol of ActivityKit as unavailable.
#if os(iOS) && !targetEnvironment(macCatalyst)
    @_exported import ActivityKit

    @available(iOS 16.1, *)
    extension Activity {
        /// The type's name in the `attributes-type` of a pushed start: its bare name. (Apple does not document the name
        /// of a nested type.)
        package static var typeName: String { String(describing: Attributes.self) }
    }

    extension ProcessInfo {
        /// Whether this process may touch ActivityKit. An iPhone app on a Mac crashes at the first symbol (reported),
        /// although `#available` is true there.
        package var hasActivityKit: Bool { !isiOSAppOnMac }

        /// Asks the system to keep the app awake while this runs, for about 30 seconds at most. It works in extensions
        /// too.
        ///
        /// - Parameter reason: for the system's log.
        package func holdAwake(for reason: String, _ body: @Sendable () async -> Void) async {
            let isOver = DispatchSemaphore(value: 0)
            performExpiringActivity(withReason: reason) { isExpiring in
                // The first call blocks, which keeps the app awake. The second, on another thread, reports that the
                // time is up.
                if isExpiring { isOver.signal() } else { isOver.wait() }
            }
            await body()
            isOver.signal()
        }
    }
#else
    @_exported import ActivityKitStandIn

    extension ProcessInfo {
        /// Whether this process may touch ActivityKit, which is the stand-in here.
        package var hasActivityKit: Bool { true }
    }
#endif
