import EyotContract

/// The id of a device in the store.
package struct DeviceID: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// One installation of an app on one phone.
package struct Device: Sendable, Hashable {
    package var id: DeviceID
    package var app: AppID
    package var installation: String
    package var environment: PushEnvironment
    package var osVersion: OSVersion
    package var appVersion: String
    package var permissions: DevicePermissions
    /// The customer's id of the user; nil for an anonymous phone.
    package var user: String?
    /// When the phone last stopped being a user's, with or without another user after it; nil if that never happened.
    package var userSince: Instant?
    /// The app's number of the phone's last change of person; 0 if it had none. See ``PersonChanges``.
    package var personNumber = 0
    /// The former user of the places that it took over with a start token, before it named a user (R12).
    package var formerUser: String?
    /// The language of the app on it, a BCP 47 tag; nil if the app has named none.
    package var language: String?
    /// The epoch and sequence of the newest report that was applied. A report that is not newer is a repetition (R8).
    package var epoch: Int
    package var sequence: Int
    package var createdAt: Instant
    package var seenAt: Instant
    /// Whether all data about the person is gone. The row stays for the places of its cards, until their activities are
    /// removed.
    package var isForgotten = false
    /// Whether its user is proven.
    package var isProven = false
    /// The id of the identity key that has proven the user; nil if it is unknown.
    package var provenBy: String?
    /// Whether it was imported from another service and its app has not registered here. It has no secret, so no phone
    /// can report for it.
    package var isImported = false

    /// Applies a user that the phone names, with the verdict on the proof.
    package mutating func identify(_ user: String, _ verdict: IdentityVerdict, at now: Instant) {
        let key: String? =
            switch verdict {
            case .proven(let key, _), .repeated(let key): key
            case .unasked, .reported, .refused: nil
            }
        // One proof is enough, and it may have expired since.
        if isProven, user == self.user {
            provenBy = key ?? provenBy
            return
        }
        if case .refused = verdict { return logout(at: now) }
        change(user: user, at: now)
        (isProven, provenBy) = (key != nil, key)
    }

    /// Removes the user of the phone.
    package mutating func logout(at now: Instant) {
        change(user: nil, at: now)
        (isProven, provenBy) = (false, nil)
    }

    private mutating func change(user next: String?, at now: Instant) {
        if user != nil, user != next { userSince = now }
        user = next
    }

    package init(
        id: DeviceID, app: AppID, installation: String, environment: PushEnvironment, osVersion: OSVersion,
        appVersion: String, permissions: DevicePermissions, user: String? = nil, epoch: Int = 1, sequence: Int = 0,
        createdAt: Instant, seenAt: Instant
    ) {
        self.id = id
        self.app = app
        self.installation = installation
        self.environment = environment
        self.osVersion = osVersion
        self.appVersion = appVersion
        self.permissions = permissions
        self.user = user
        self.epoch = epoch
        self.sequence = sequence
        self.createdAt = createdAt
        self.seenAt = seenAt
    }
}

/// An installation that registers for the first time, or is imported.
package struct NewDevice: Sendable, Hashable {
    package var app: AppID
    package var installation: String
    package var environment: PushEnvironment
    package var osVersion: OSVersion
    package var appVersion: String
    package var permissions: DevicePermissions
    package var user: String?
    package var language: String?
    package var createdAt: Instant
    package var isImported = false

    package init(
        app: AppID, installation: String, environment: PushEnvironment, osVersion: OSVersion, appVersion: String,
        permissions: DevicePermissions, user: String? = nil, createdAt: Instant
    ) {
        self.app = app
        self.installation = installation
        self.environment = environment
        self.osVersion = osVersion
        self.appVersion = appVersion
        self.permissions = permissions
        self.user = user
        self.createdAt = createdAt
    }

    /// The device with the id that the store gave it.
    package func stored(as id: DeviceID) -> Device {
        var device = Device(
            id: id, app: app, installation: installation, environment: environment, osVersion: osVersion,
            appVersion: appVersion, permissions: permissions, user: user, createdAt: createdAt, seenAt: createdAt)
        device.language = language
        device.isImported = isImported
        device.isProven = isImported && user != nil
        return device
    }
}

/// A push-to-start token. iOS has one for the whole app. The SDK registers it under each type that may be started.
package struct StartToken: Sendable, Hashable {
    package var device: DeviceID
    package var type: String
    package var token: PushToken
    package var environment: PushEnvironment
    /// When it was set last, by the server's clock.
    package var setAt: Instant
    /// The version of iOS with which the phone reported it; nil if that is unknown. A major update may kill the token,
    /// and Apple does not say so.
    package var osVersion: OSVersion?
    /// The reason why it is not used; nil while it is used.
    package var death: TokenDeath?

    package init(
        device: DeviceID, type: String, token: PushToken, environment: PushEnvironment, setAt: Instant,
        osVersion: OSVersion? = nil, death: TokenDeath? = nil
    ) {
        self.device = device
        self.type = type
        self.token = token
        self.environment = environment
        self.setAt = setAt
        self.osVersion = osVersion
        self.death = death
    }
}

/// A version of iOS, with the two numbers that decide what a phone can do.
package struct OSVersion: Sendable, Hashable, Comparable {
    package var major: Int
    package var minor: Int

    package init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// Reads `18`, `17.2` or `17.2.1`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...3).contains(parts.count), parts.allSatisfy({ ($0 ?? -1) >= 0 }), let major = parts[0]
        else { return nil }
        self.init(major, parts.count > 1 ? parts[1] ?? 0 : 0)
    }

    /// Reads a version that selects devices; nil if it has a third number other than 0, because devices are not told
    /// apart by it.
    package init?(selecting text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count < 3 || parts[2].allSatisfy({ $0 == "0" }) else { return nil }
        self.init(text)
    }

    package static func < (a: OSVersion, b: OSVersion) -> Bool { (a.major, a.minor) < (b.major, b.minor) }

    /// The first version that supports push-to-start.
    package static let remoteStart = OSVersion(17, 2)
    /// The first version that supports `input-push-token`.
    package static let inputPushToken = OSVersion(18)
    /// The first version with cards that can follow a channel.
    package static let channels = OSVersion(18)

    package var text: String { "\(major).\(minor)" }
}
