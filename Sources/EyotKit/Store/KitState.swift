import EyotContract
import Foundation

/// The state that one installation keeps from launch to launch.
struct KitState: Sendable, Equatable {
    /// The random id of this installation.
    var installation: String
    /// The registration with the server; nil before the first.
    var registration: Registered?
    /// The registrations of this installation with other servers, latest first.
    var formerRegistrations: [Registered] = []
    /// The app's user; nil for none.
    var user: String?
    /// The signature of the app's backend about the user; nil for none.
    var signature: IdentitySignature?
    /// The profile of this installation.
    var profile = DeviceProfile()
    /// Whether a server may have a profile of this installation, also if the present one is empty.
    var hasToldProfile = false
    /// What the server has refused and should know. The next launch tells it again.
    var untold: Set<Untold> = []
    /// The push-to-start tokens by registered type.
    var startTokens: [String: StartTokenRecord] = [:]
    /// The types that the app registered under names of its own, by those names.
    var startNames: [String: String] = [:]
    /// The types that the app has unregistered, oldest first.
    var endedStartTypes: [String] = []
    /// The permissions that were last reported to the server; nil before the first report.
    var permissions: DevicePermissions?
    /// The known running cards, by ActivityKit's id.
    var cards: [String: KnownCard] = [:]
    /// The names of cards that have ended and may still be visible.
    var endedNames = EndedNames()
    /// The secrets that let this phone join private activities.
    var joinSecrets = JoinSecretList()
    var outbox = Outbox()

    /// The most names of registrations that are kept, and the most unregistered types.
    static let startNameLimit = 64

    /// What can be refused and still holds. Cards and start tokens are told again anyway.
    enum Untold: String, Sendable, CaseIterable {
        case person, profile, permissions
    }

    /// Makes the state of a new installation.
    static func fresh() -> KitState { KitState(installation: UUID().uuidString.lowercased()) }
}

/// A push-to-start token under one type.
struct StartTokenRecord: Sendable, Equatable {
    var token: PushToken
    /// When the server last confirmed the token; nil if it has not.
    var confirmed: Date?
    /// The version of iOS under which the phone showed the token, for example `18.1`. Nil if an older version of the
    /// SDK wrote the record.
    var osVersion: String?

    /// Whether the system had a major update since the phone showed the token. Developers report that such tokens are
    /// dead, although Apple accepts pushes to them.
    func isDoubtful(under osVersion: String) -> Bool {
        guard let shown = self.osVersion else { return false }
        return shown.prefix { $0 != "." } != osVersion.prefix { $0 != "." }
    }

    /// Seconds after which a confirmed token is sent again, because servers can lose data too. It is less than a day,
    /// so that the daily look finds it expired.
    static let confirmationLifetime = 82_800.0
    /// Seconds between two looks.
    static let lookInterval = 86_400.0

    /// Whether `token` need not be sent again.
    func stillCovers(_ token: PushToken, now: Date) -> Bool {
        guard self.token == token, let confirmed else { return false }
        // A clock that was set back gives a negative age. The token is sent again then.
        return (0..<Self.confirmationLifetime).contains(now.timeIntervalSince(confirmed))
    }
}

/// A card that runs.
struct KnownCard: Sendable, Equatable {
    var instance: String
    var name: String
    var type: String
    /// The phone's time. Only durations are derived from it.
    var firstSeen: Date
    /// The card's latest update token; nil for none.
    var token: PushToken?
    /// Whether the server has that token.
    var isTokenConfirmed = false
    /// The state that the card showed when the server was last told; nil if it has not been.
    var toldDigest: StateDigest?
    /// False after the app asked to stop tracking the card.
    var isTracked = true
    /// False while the app prepares for a card that appeared.
    var isPrepared = true
    /// Whether the app started the card while it knew a channel of the name. The card may have no token then.
    var mayFollowChannel = false
    /// When the card begins; nil unless the SDK scheduled it.
    var begins: Date?
    /// Whether the card is to be removed because it may be about a former user.
    var isToGo = false

    /// The card as it is reported to the server.
    var card: Card { Card(instance: instance, name: name, type: type) }

    /// The change that reports the card as running, with its token if there is one.
    var sighting: DeviceChange.Action { token.map { .setUpdateToken(card, token: $0) } ?? .cardSeen(card) }
}
