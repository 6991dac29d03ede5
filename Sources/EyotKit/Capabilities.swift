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
    /// Cards that begin later by themselves: iOS 26.
    public var scheduledStarts: Bool
    /// Whether this is an iPhone app on a Mac, which has no Live Activities: ``activities`` is false there.
    public var isOnMac = false
    /// Whether the app's Info.plist says `NSSupportsLiveActivities`, without which there are no cards.
    public var isDeclared: Bool

    /// The key of ``isDeclared``.
    static let declaration = "NSSupportsLiveActivities"

    /// Says each by itself.
    public init(
        osVersion: String, activities: Bool, startTokens: Bool, timestampedUpdates: Bool, scheduledStarts: Bool = false,
        isDeclared: Bool = true
    ) {
        self.osVersion = osVersion
        self.activities = activities
        self.startTokens = startTokens
        self.timestampedUpdates = timestampedUpdates
        self.scheduledStarts = scheduledStarts
        self.isDeclared = isDeclared
    }

    /// What a version of iOS can do for an app that declares Live Activities.
    public init(iOS major: Int, _ minor: Int = 0) {
        let hasTimestamps = (major, minor) >= (17, 2)
        self.init(
            osVersion: "\(major).\(minor)", activities: (major, minor) >= (16, 2), startTokens: hasTimestamps,
            timestampedUpdates: hasTimestamps, scheduledStarts: major >= 26)
    }

    /// The same for an iPhone app on a Mac.
    var onMac: Capabilities {
        var capabilities = Capabilities(
            osVersion: osVersion, activities: false, startTokens: false, timestampedUpdates: false)
        capabilities.isOnMac = true
        return capabilities
    }

    /// What this system can do. Where there is no iOS, say which one is meant instead.
    public static var current: Capabilities {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        var capabilities = Capabilities(iOS: version.majorVersion, version.minorVersion)
        if !ProcessInfo.processInfo.hasActivityKit { capabilities = capabilities.onMac }
        capabilities.isDeclared = Bundle.main.object(forInfoDictionaryKey: declaration) as? Bool ?? false
        return capabilities
    }
}
