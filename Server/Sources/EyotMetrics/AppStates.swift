import EyotDomain
import Synchronization

/// The states of all apps as they were last read, for gauges and health.
package final class AppStates: Sendable {
    package struct Snapshot: Sendable {
        package var apps: [App] = []
        /// Apps without an APNs key.
        package var withoutKey = 0

        package init(apps: [App] = [], withoutKey: Int = 0) {
            (self.apps, self.withoutKey) = (apps, withoutKey)
        }
    }

    private let snapshot = Mutex<Snapshot?>(nil)

    package init() {}

    /// Nil until the apps have been read once.
    package var value: Snapshot? {
        get { snapshot.withLock { $0 } }
        set { snapshot.withLock { $0 = newValue } }
    }

    /// Sets the gauges of pauses and halts.
    package func write(to meters: Meters) {
        var (paused, halted): ([[String]: Double], [[String]: Double]) = ([:], [:])
        for app in value?.apps ?? [] {
            let name = meters.names.name(of: app.id)
            for (environment, pause) in app.pauses { paused[[name, environment.rawValue, pause.reason.name]] = 1 }
            if app.haltedAt != nil { halted[[name]] = 1 }
        }
        meters.setAll(.appPaused, paused)
        meters.setAll(.appHalted, halted)
    }
}
