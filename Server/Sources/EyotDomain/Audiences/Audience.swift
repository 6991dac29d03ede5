import EyotContract

/// Which devices a start or a scope is meant for.
package indirect enum Audience: Sendable, Hashable {
    case all
    /// Devices that have this tag, or whose user has it. In a group it is another tag than without one.
    case tag(String, group: String? = nil, of: TraitOwner? = nil)
    /// Devices of this user, by the customer's id.
    case user(String)
    /// Devices of any of these users. The list counts as one selector.
    case users([String])
    /// This device, by the server's id.
    case device(DeviceID)
    /// Any of these devices. The list counts as one selector.
    case devices([DeviceID])
    /// The device of this installation, by the id that its app made: what Airship calls a channel, and Insider a udid.
    case installation(String)
    /// Devices of the user who has this alias.
    case alias(UserAlias)
    /// Devices that can be sent a start of this type: they have a start token for it, and it is in use.
    case type(String)
    /// Devices that run at least this version of iOS.
    case osAtLeast(OSVersion)
    /// Devices that run an older version of iOS.
    case osBelow(OSVersion)
    /// Devices with this version and build of the app, for example `1.4 (27)`.
    case appVersion(String)
    /// Devices with this version of the app or a newer one. One whose version has no number belongs to neither.
    case appVersionAtLeast(AppVersion)
    /// Devices with an older version of the app.
    case appVersionBelow(AppVersion)
    /// Devices whose app was signed for this of Apple's environments.
    case environment(PushEnvironment)
    /// Devices with a user that is proven, or with one that is not.
    case hasUser(isProven: Bool)
    /// Devices of which, or of whose user, something is said.
    case attribute(AttributeRule)
    /// Devices that were heard of after a moment.
    case seenAfter(AudienceTime)
    /// Devices that were heard of last before a moment.
    case seenBefore(AudienceTime)
    /// Those of an audience that was saved under this name; see ``resolved(at:named:)``.
    case segment(String)
    /// The phone that has this name for trying things out. It is found when the audience is frozen; until then it is nobody's.
    case testDevice(String)
    case and([Audience])
    case or([Audience])
    case not(Audience)

    /// The most selectors in one expression, with those of the segments that it names.
    package static let selectorLimit = 1_000
    /// The most `and`, `or` and `not` in one expression, which are no selectors.
    package static let connectiveLimit = 4_000
    /// The most users and devices in the lists of one expression.
    package static let listLimit = 20_000
    /// How deep an expression may nest, with the segments that it names.
    package static let depthLimit = 16

    /// The same limits of an audience that is resolved. A selector becomes three, below an `and` and a `not`, to say
    /// whose word counts.
    package static let resolvedSelectorLimit = 3 * selectorLimit
    package static let resolvedConnectiveLimit = connectiveLimit + 2 * selectorLimit
    package static let resolvedDepthLimit = depthLimit + 2
}

/// A name of a user under a label of the customer's. A user has one name under a label, and no two users share one.
package struct UserAlias: Sendable, Hashable {
    package var label: String
    package var name: String

    package init(label: String, name: String) {
        self.label = label
        self.name = name
    }
}

/// A moment that an audience names, be it by how long ago it is.
package enum AudienceTime: Sendable, Hashable {
    case at(Instant)
    /// Days of 24 hours before the moment at which the audience is looked at; below 0 after it.
    case daysAgo(Double)

    /// The most days, either way.
    package static let daysLimit = 36_525.0

    func moment(at now: Instant) -> Instant {
        switch self {
        case .at(let moment): moment
        case .daysAgo(let days): now - days * 86_400
        }
    }

    /// The moment, where it does not hang on when the audience is looked at.
    package var fixed: Instant? {
        guard case .at(let moment) = self else { return nil }
        return moment
    }
}
