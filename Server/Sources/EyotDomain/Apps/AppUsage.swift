/// The part of an app's quotas that phones have used.
package struct AppUsage: Sendable, Hashable {
    /// Devices that are stored.
    package var devices = 0
    /// Activities that only phones have named, and no call has declared.
    package var openedNames = 0
    /// Names that phones could not open because a quota was full.
    package var refusedNames = 0

    package init(devices: Int = 0, openedNames: Int = 0, refusedNames: Int = 0) {
        self.devices = devices
        self.openedNames = openedNames
        self.refusedNames = refusedNames
    }

    package static func + (a: AppUsage, b: AppUsage) -> AppUsage {
        AppUsage(
            devices: a.devices + b.devices, openedNames: a.openedNames + b.openedNames,
            refusedNames: a.refusedNames + b.refusedNames)
    }
}

/// Limits on what callers with an app's public key can fill. Any copy of the app has that key. 0 means no limit.
package struct AppQuotas: Sendable, Hashable {
    /// The most devices of one app. Devices that a backend imports are admitted beyond it.
    package var devices = 0
    /// The most UTF-8 bytes of the tags, names and values that a device reports of itself.
    package var profileBytes = 0
    /// The most activities of one app that only phones have named.
    package var openedNames = 0
    /// The most activities that only phones have named and one device has joined.
    package var openedNamesOfDevice = 0

    package init() {}

    /// Whether an app may have one more device.
    ///
    /// - Parameters:
    ///   - seen: How many it had shortly before.
    ///   - present: Reads how many it has. New devices of several nodes would be in conflict over that, so it is read
    ///     only when nine tenths are used.
    package func admitsDevice(seen: Int, present: () throws -> Int) rethrows -> Bool {
        guard devices > 0, seen >= devices / 10 * 9 else { return true }
        return try present() < devices
    }
}

/// A public key of an app that was replaced. Copies of the app in use still register with it.
package struct FormerAppKey: Sendable, Hashable {
    package var app: AppID
    package var text: String
    /// The moment from which it opens nothing.
    package var until: Instant

    package init(app: AppID, text: String, until: Instant) {
        self.app = app
        self.text = text
        self.until = until
    }

    /// The most former keys of one app.
    package static let limit = 10
}

/// Data about an app that is stored beside its row.
package protocol AppUsageLedger: AnyObject {
    func usage(of app: AppID) throws -> AppUsage
    /// Adds a change, which may be negative, to the counts. The store itself counts devices.
    func add(_ change: AppUsage, to app: AppID) throws
    /// Adds up what the writers of a store keep apart. The usage stays the same.
    ///
    /// - Returns: How many rows it took, up to the limit.
    func foldUsage(limit: Int) throws -> Int
    /// The number of names that a device has joined and no call has declared, counted up to a limit.
    func openedNames(by device: DeviceID, limit: Int) throws -> Int
    /// Activities that no call has declared, with ids above `id`, in order of their ids.
    func openedActivities(after id: ActivityID, limit: Int) throws -> [Activity]
    func formerAppKey(_ text: String) throws -> FormerAppKey?
    func formerAppKeys(of app: AppID) throws -> [FormerAppKey]
    func insert(_ key: FormerAppKey) throws
    func removeFormerAppKey(_ text: String) throws
}
