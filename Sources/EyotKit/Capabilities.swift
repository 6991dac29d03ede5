import Foundation

/// The abilities of the system under the SDK. The SDK asks only this value, so tests and the lab can stand for any
/// version of iOS.
public struct Capabilities: Sendable, Hashable {
    /// The version of iOS as it is sent to the server, for example `18.1`.
    public var osVersion: String
    /// Whether the SDK can use Live Activities: from iOS 16.2, which introduced the names that later versions kept.
    /// Otherwise an instance does nothing.
    public var activities: Bool
    /// Whether there are push-to-start tokens: from iOS 17.2.
    public var startTokens: Bool
    /// Whether updates and ends can carry a timestamp: from iOS 17.2.
    public var timestampedUpdates: Bool
    /// Whether a card can begin later by itself: from iOS 26.
    public var scheduledStarts: Bool
    /// Whether this is an iPhone app on a Mac. A Mac has no Live Activities, so ``activities`` is false then.
    public var isOnMac = false
    /// Whether the app's Info.plist sets `NSSupportsLiveActivities`. Without it there are no cards.
    public var isDeclared: Bool

    /// The Info.plist key of ``isDeclared``.
    static let declaration = "NSSupportsLiveActivities"

    /// Makes a value of its parts.
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

    /// Makes the capabilities of a version of iOS, for an app that declares Live Activities.
    public init(iOS major: Int, _ minor: Int = 0) {
        let hasTimestamps = (major, minor) >= (17, 2)
        self.init(
            osVersion: "\(major).\(minor)", activities: (major, minor) >= (16, 2), startTokens: hasTimestamps,
            timestampedUpdates: hasTimestamps, scheduledStarts: major >= 26)
    }

    /// The same capabilities for an iPhone app on a Mac.
    var onMac: Capabilities {
        var capabilities = Capabilities(
            osVersion: osVersion, activities: false, startTokens: false, timestampedUpdates: false)
        capabilities.isOnMac = true
        return capabilities
    }

    /// The capabilities of this system. On a system without iOS, set ``EyotConfiguration/capabilities`` instead.
    public static var current: Capabilities {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        var capabilities = Capabilities(iOS: version.majorVersion, version.minorVersion)
        if !ProcessInfo.processInfo.hasActivityKit { capabilities = capabilities.onMac }
        capabilities.isDeclared = Bundle.main.object(forInfoDictionaryKey: declaration) as? Bool ?? false
        return capabilities
    }
}
