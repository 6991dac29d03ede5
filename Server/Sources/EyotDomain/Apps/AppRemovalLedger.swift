/// Apps that are being removed, and the rows that belong to them.
package protocol AppRemovalLedger: AnyObject {
    /// Apps that are being removed and still have rows, in order of their ids.
    func removedApps() throws -> [App]
    /// The name of an activity that was declared and has not ended; nil if there is none.
    func runningActivityName(of app: AppID) throws -> String?
    /// The app's devices with the lowest ids, including forgotten devices.
    func deviceIDs(of app: AppID, limit: Int) throws -> [DeviceID]
    /// Removes rows that belong to the app itself: not to one of its activities, users or devices.
    ///
    /// - Returns: how many it removed.
    func removeRows(of app: AppID, limit: Int) throws -> Int
    /// Removes the app's own row, when no other row belongs to the app.
    func removeApp(_ id: AppID) throws
}
