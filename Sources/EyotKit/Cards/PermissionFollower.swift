import EyotContract
import Foundation

/// Follows the person's two switches in Settings and tells the server of every change.
@available(iOS 16.2, *)
struct PermissionFollower: Sendable {
    let ledger: DeviceLedger

    /// Follows both in tasks of the group.
    func follow(in group: inout TaskGroup<Eyot.Wakeup>) {
        group.addTask {
            for await _ in ActivityAuthorizationInfo().activityEnablementUpdates {
                await ledger.permissionsChanged(.current)
            }
            return .finished
        }
        group.addTask {
            for await _ in ActivityAuthorizationInfo().frequentPushEnablementUpdates {
                await ledger.permissionsChanged(.current)
            }
            return .finished
        }
    }
}

extension DevicePermissions {
    /// What the person allows now.
    static var current: DevicePermissions {
        guard #available(iOS 16.2, *) else { return DevicePermissions(activities: false, frequentPushes: false) }
        let info = ActivityAuthorizationInfo()
        return DevicePermissions(activities: info.areActivitiesEnabled, frequentPushes: info.frequentPushesEnabled)
    }
}
