import EyotContract
import Foundation

/// Follows the person's two switches in Settings and tells the server of every change.
@available(iOS 16.2, *)
struct PermissionFollower: Sendable {
    let ledger: DeviceLedger

    /// Follows both in tasks of the group.
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

    /// Looks once more when it has begun to listen: a switch may have been turned just before.
    private func follow<Updates: AsyncIteratorProtocol>(
        _ updates: sending Updates
    ) async where Updates.Element == Bool {
        var updates = updates
        await ledger.permissionsSeen(.current)
        while (try? await updates.next()) != nil { await ledger.permissionsSeen(.current) }
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
