import EyotContract

/// An expression that selects the devices of a start or a scope.
package indirect enum Audience: Sendable, Hashable {
    case all
    /// Devices with this tag, or with a user that has it. A tag in a group is another tag than the same name without a
    /// group.
    case tag(String, group: String? = nil, of: TraitOwner? = nil)
    /// Devices of this user, by the customer's id.
    case user(String)
    /// Devices of any of these users. The list counts as one selector.
    case users([String])
    /// This device, by the server's id.
    case device(DeviceID)
    /// Any of these devices. The list counts as one selector.
    case devices([DeviceID])
    /// The device of this installation, by the id that its app made. Airship calls it a channel, and Insider a udid.
    case installation(String)
    /// Devices of the user with this alias.
    case alias(UserAlias)
    /// Devices that can be sent a start of this type, because they have a start token for it that is in use.
    case type(String)
    /// Devices that run at least this version of iOS.
    case osAtLeast(OSVersion)
    /// Devices that run an older version of iOS.
    case osBelow(OSVersion)
    /// Devices with this version and build of the app, for example `1.4 (27)`.
    case appVersion(String)
    /// Devices with this version of the app or a newer one. A device with a version that has no number is in neither
    /// this audience nor the next.
    case appVersionAtLeast(AppVersion)
    /// Devices with an older version of the app.
    case appVersionBelow(AppVersion)
    /// Devices with an app that was signed for this environment of Apple's.
    case environment(PushEnvironment)
    /// Devices with a user that is proven, or with a user that is not.
    case hasUser(isProven: Bool)
    /// Devices that fit this rule, or that have a user that fits it.
    case attribute(AttributeRule)
    /// Devices that reported after a moment.
    case seenAfter(AudienceTime)
    /// Devices that last reported before a moment.
    case seenBefore(AudienceTime)
    /// Devices of the audience that is saved under this name; see ``resolved(at:named:)``.
    case segment(String)
    /// The phone with this name for tests. It is found when the audience is resolved; before that the selector matches
    /// no device.
    case testDevice(String)
    case and([Audience])
    case or([Audience])
    case not(Audience)

    /// The most selectors in one expression, including its segments.
    package static let selectorLimit = 1_000
    /// The most `and`, `or` and `not` in one expression. They are not selectors.
    package static let connectiveLimit = 4_000
    /// The most users and devices in the lists of one expression.
    package static let listLimit = 20_000
    /// The deepest nesting of an expression, including its segments.
    package static let depthLimit = 16

    /// The same limits for an audience that is resolved. One selector becomes three, below an `and` and a `not`, to say
    /// which owner's tags or attributes count.
    package static let resolvedSelectorLimit = 3 * selectorLimit
    package static let resolvedConnectiveLimit = connectiveLimit + 2 * selectorLimit
    package static let resolvedDepthLimit = depthLimit + 2
}

/// A name of a user under a label of the customer's. A user has one name under a label, and two users never share one.
package struct UserAlias: Sendable, Hashable {
    package var label: String
    package var name: String

    package init(label: String, name: String) {
        self.label = label
        self.name = name
    }
}

/// A moment in an audience, absolute or relative.
package enum AudienceTime: Sendable, Hashable {
    case at(Instant)
    /// Days of 24 hours before the moment at which the audience is resolved; below 0 after it.
    case daysAgo(Double)

    /// The most days, in either direction.
    package static let daysLimit = 36_525.0

    func moment(at now: Instant) -> Instant {
        switch self {
        case .at(let moment): moment
        case .daysAgo(let days): now - days * 86_400
        }
    }

    /// The moment; nil if it depends on when the audience is resolved.
    package var fixed: Instant? {
        guard case .at(let moment) = self else { return nil }
        return moment
    }
}
