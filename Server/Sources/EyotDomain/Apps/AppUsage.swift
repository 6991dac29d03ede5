/// What phones have filled of an app's quotas.
package struct AppUsage: Sendable, Hashable {
    /// Devices that are stored.
    package var devices = 0
    /// Activities that only phones have named: nobody has declared anything for them.
    package var openedNames = 0
    /// Names that phones were not let open because a quota was full.
    package var refusedNames = 0

    package init(devices: Int = 0, openedNames: Int = 0, refusedNames: Int = 0) {
        self.devices = devices
        self.openedNames = openedNames
        self.refusedNames = refusedNames
    }
}

/// How much whoever has an app's public key may fill, which is everybody. 0 is without limit.
package struct AppQuotas: Sendable, Hashable {
    /// Devices of one app. Those that a backend imports are let in beyond it.
    package var devices = 0
    /// UTF-8 bytes of the tags, names and values that a device says of itself.
    package var profileBytes = 0
    /// Activities of one app that only phones have named.
    package var openedNames = 0
    /// The same of one device.
    package var openedNamesOfDevice = 0

    package init() {}
}

/// A public key of an app that another one has taken the place of: copies of the app that are in use still register
/// with it.
package struct FormerAppKey: Sendable, Hashable {
    package var app: AppID
    package var text: String
    /// From then on it opens nothing.
    package var until: Instant

    package init(app: AppID, text: String, until: Instant) {
        self.app = app
        self.text = text
        self.until = until
    }

    /// Keys of one app beside the newest.
    package static let limit = 10
}

/// What is kept of an app beside its row.
package protocol AppUsageLedger: AnyObject {
    func usage(of app: AppID) throws -> AppUsage
    /// Adds to what is counted, or takes away. Devices are counted by the store itself.
    func add(_ change: AppUsage, to app: AppID) throws
    /// Names that a device has a place under and that nobody has declared, counted up to a limit.
    func openedNames(by device: DeviceID, limit: Int) throws -> Int
    /// Activities that nobody has declared, above one in the order of their ids.
    func openedActivities(after id: ActivityID, limit: Int) throws -> [Activity]
    func formerAppKey(_ text: String) throws -> FormerAppKey?
    func formerAppKeys(of app: AppID) throws -> [FormerAppKey]
    func insert(_ key: FormerAppKey) throws
    func removeFormerAppKey(_ text: String) throws
}
