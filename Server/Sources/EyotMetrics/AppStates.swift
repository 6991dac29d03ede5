import EyotDomain
import Synchronization

/// The states of all apps as they were last read, for gauges and health.
package final class AppStates: Sendable {
    package struct Snapshot: Sendable {
        package var apps: [App] = []
        /// Apps without an APNs key.
        package var withoutKey = 0
        /// The apps that are halted since their database was restored.
        package var restored: Set<AppID> = []
        /// The number of halted activities that have not ended, by app.
        package var haltedActivities: [AppID: Int] = [:]

        package init(apps: [App] = []) { self.apps = apps }
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
        let states = value ?? Snapshot()
        var paused: [[String]: Double] = [:]
        var (halted, types, activities, restored) = (paused, paused, paused, paused)
        for app in states.apps {
            let name = meters.names.name(of: app.id)
            for (environment, pause) in app.pauses { paused[[name, environment.rawValue, pause.reason.name]] = 1 }
            if app.haltedAt != nil { halted[[name]] = 1 }
            if states.restored.contains(app.id) { restored[[name]] = 1 }
            types[[name], default: 0] += Double(app.haltedTypes.count)
            activities[[name], default: 0] += Double(states.haltedActivities[app.id] ?? 0)
        }
        meters.setAll(.appPaused, paused)
        meters.setAll(.appHalted, halted)
        meters.setAll(.appRestored, restored)
        meters.setAll(.typesHalted, types)
        meters.setAll(.activitiesHalted, activities)
    }
}
