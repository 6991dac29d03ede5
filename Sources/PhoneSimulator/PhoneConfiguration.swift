import EyotContract

/// The properties of a simulated phone that do not change while it is on.
public struct PhoneConfiguration: Sendable {
    /// The phone's name in the lab; unique in a fleet.
    public var id: String
    /// The version of iOS.
    public var os: IOSVersion
    /// Whether it has a Dynamic Island.
    public var hasDynamicIsland: Bool
    /// The one app that is installed.
    public var bundleID: String
    /// The environment of the tokens of the app's build.
    public var environment: PushEnvironment
    /// Together with ``id`` it decides every token and id of the phone.
    public var seed: UInt64
    /// The Live Activity types that the installed app knows. A pushed start for any other is ignored.
    public var types: [PayloadCheck]
    /// Whether the app asks for a larger budget: `NSSupportsLiveActivitiesFrequentUpdates` in its Info.plist.
    public var supportsFrequentUpdates: Bool
    /// The person's initial settings.
    public var settings: PhoneSettings
    /// The phone's behaviour on points that Apple does not document.
    public var rules: PhoneRules

    /// Creates a phone. The defaults are iOS 26, a Dynamic Island, a production build and everything allowed.
    public init(
        id: String, os: IOSVersion = IOSVersion(26), bundleID: String, environment: PushEnvironment = .production,
        seed: UInt64 = 0, types: [PayloadCheck] = [], settings: PhoneSettings = PhoneSettings(),
        rules: PhoneRules = PhoneRules(), hasDynamicIsland: Bool = true, supportsFrequentUpdates: Bool = true
    ) {
        self.id = id
        self.os = os
        self.bundleID = bundleID
        self.environment = environment
        self.seed = seed
        self.types = types
        self.settings = settings
        self.rules = rules
        self.hasDynamicIsland = hasDynamicIsland
        self.supportsFrequentUpdates = supportsFrequentUpdates
    }
}
