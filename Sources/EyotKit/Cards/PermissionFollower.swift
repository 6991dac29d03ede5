import EyotContract
import Foundation

/// The follower of the two Live Activity switches in Settings. It reports every change to the server.
@available(iOS 16.2, *)
struct PermissionFollower: Sendable {
    let ledger: InstallationLedger

    /// Follows both switches in tasks of the group.
    func follow(in group: inout TaskGroup<Eyot.Wakeup>) async {
        await ledger.permissionsSeen(.current)
        group.addTask {
            await follow(ActivityAuthorizationInfo().activityEnablementUpdates.makeAsyncIterator())
            return .finished
        }
        group.addTask {
            await follow(ActivityAuthorizationInfo().frequentPushEnablementUpdates.makeAsyncIterator())
            return .finished
        }
    }

    /// Follows one switch. Reads it once more after listening began, because it may have changed just before.
    private func follow<Updates: AsyncIteratorProtocol>(
        _ updates: sending Updates
    ) async where Updates.Element == Bool {
        var updates = updates
        await ledger.permissionsSeen(.current)
        while (try? await updates.next()) != nil { await ledger.permissionsSeen(.current) }
    }
}

extension DevicePermissions {
    /// The present permissions.
    static var current: DevicePermissions {
        guard #available(iOS 16.2, *) else { return DevicePermissions(activities: false, frequentPushes: false) }
        let info = ActivityAuthorizationInfo()
        return DevicePermissions(activities: info.areActivitiesEnabled, frequentPushes: info.frequentPushesEnabled)
    }
}
