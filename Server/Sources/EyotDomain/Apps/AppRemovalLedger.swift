/// Apps that are being removed, and what belongs to them.
package protocol AppRemovalLedger: AnyObject {
    /// Apps of which something is left, in order of their ids.
    func removedApps() throws -> [App]
    /// The name of an activity that somebody has declared and that has not ended.
    func runningActivityName(of app: AppID) throws -> String?
    /// The app's devices with the lowest ids, also those that have forgotten whose they were.
    func deviceIDs(of app: AppID, limit: Int) throws -> [DeviceID]
    /// Removes rows that belong to an app and to nothing else of it: neither to an activity nor to a user nor to a device.
    ///
    /// - Returns: how many it removed.
    func removeRows(of app: AppID, limit: Int) throws -> Int
    /// Removes the app's own row. Nothing belongs to it any more.
    func removeApp(_ id: AppID) throws
}
