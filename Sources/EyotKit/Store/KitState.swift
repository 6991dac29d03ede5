import EyotContract
import Foundation

/// Everything that one installation remembers from one launch to the next.
struct KitState: Sendable, Equatable {
    /// The random id of this installation.
    var installation: String
    /// What the server gave this installation, and what it was told then.
    var registration: Registered?
    /// The person who uses the app.
    var user: String?
    /// What the app's backend signed about that person.
    var signature: IdentitySignature?
    /// What the app says of this installation.
    var profile = DeviceProfile()
    /// The push-to-start tokens by registered type.
    var startTokens: [String: StartTokenRecord] = [:]
    /// The types that the app registered under names of its own, by these.
    var startNames: [String: String] = [:]
    /// What the server was told that the person allows.
    var permissions: DevicePermissions?
    /// The cards that run, as far as they are known, by ActivityKit's id.
    var cards: [String: KnownCard] = [:]
    /// The names of cards that have ended and may still be shown.
    var endedNames = EndedNames()
    /// What lets this phone join private activities.
    var joinSecrets = JoinSecretList()
    var outbox = Outbox()

    /// Names of registrations that are remembered.
    static let startNameLimit = 64

    /// An installation that has told nobody anything.
    static func fresh() -> KitState { KitState(installation: UUID().uuidString.lowercased()) }
}

/// A registration that the server accepted.
struct Registered: Sendable, Equatable {
    var credentials: DeviceCredentials
    /// Changes when the app, the system or the build changes; the server is told again then.
    var fingerprint: String
}

/// A push-to-start token under one type.
struct StartTokenRecord: Sendable, Equatable {
    var token: PushToken
    /// When the server last confirmed it; nil where it has not.
    var confirmed: Date?
    /// The system under which the phone showed it, for example `18.1`; nil where an older version of the SDK wrote it
    /// down.
    var osVersion: String?

    /// Whether the system had a major update since the phone showed the token. Developers report that such tokens are
    /// dead, and that Apple accepts pushes to them all the same.
    func isDoubtful(under osVersion: String) -> Bool {
        guard let shown = self.osVersion else { return false }
        return shown.prefix { $0 != "." } != osVersion.prefix { $0 != "." }
    }

    /// A confirmed token is told again after a day: servers lose things too. It is looked at once a day, some time after it was
    /// confirmed.
    static let confirmationLifetime = 82_800.0
    /// Seconds between two looks.
    static let lookInterval = 86_400.0

    /// Whether the server need not be told of `token`.
    func stillCovers(_ token: PushToken, now: Date) -> Bool {
        guard self.token == token, let confirmed else { return false }
        // A clock that was set back makes the confirmation look younger than nothing; then it is told again.
        return (0..<Self.confirmationLifetime).contains(now.timeIntervalSince(confirmed))
    }
}

/// A card that runs.
struct KnownCard: Sendable, Equatable {
    var instance: String
    var name: String
    var type: String
    /// By the phone's clock; only durations are made of it.
    var firstSeen: Date
    /// Its latest update token.
    var token: PushToken?
    /// Whether the server has that token.
    var isTokenConfirmed = false
    /// False once the app has asked to stop tracking it.
    var isTracked = true
    /// False while the app prepares for a card that appeared.
    var isPrepared = true
    /// Whether the app started it when it knew of a channel: then it may have no token.
    var mayFollowChannel = false
    /// When it begins, where the SDK has scheduled it.
    var begins: Date?
    /// Whether it is to be taken away, since the person whom it may be about has left.
    var isToGo = false

    /// The card as the server hears of it.
    var card: Card { Card(instance: instance, name: name, type: type) }

    /// What says that it runs, with its token where there is one.
    var sighting: DeviceChange.Action { token.map { .setUpdateToken(card, token: $0) } ?? .cardSeen(card) }
}
