import Foundation

/// What the system can do that the SDK runs on. One value decides it everywhere, so that tests and the lab can be any
/// version of iOS.
public struct Capabilities: Sendable, Hashable {
    /// The version as the server hears it, for example `18.1`.
    public var osVersion: String
    /// Live Activities as this SDK uses them: iOS 16.2, which has the names that later versions kept. Without them an
    /// instance does nothing.
    public var activities: Bool
    /// Push-to-start tokens: iOS 17.2.
    public var startTokens: Bool
    /// Updates and ends that carry a timestamp: iOS 17.2.
    public var timestampedUpdates: Bool

    /// Says each by itself.
    public init(osVersion: String, activities: Bool, startTokens: Bool, timestampedUpdates: Bool) {
        self.osVersion = osVersion
        self.activities = activities
        self.startTokens = startTokens
        self.timestampedUpdates = timestampedUpdates
    }

    /// What a version of iOS can do.
    public init(iOS major: Int, _ minor: Int = 0) {
        let hasTimestamps = (major, minor) >= (17, 2)
        self.init(
            osVersion: "\(major).\(minor)", activities: (major, minor) >= (16, 2), startTokens: hasTimestamps,
            timestampedUpdates: hasTimestamps)
    }

    /// What this system can do. Where there is no iOS, say which one is meant instead.
    public static var current: Capabilities {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return Capabilities(iOS: version.majorVersion, version.minorVersion)
    }
}
