import EyotContract
import Foundation

/// What the SDK has to know of an app.
public struct EyotConfiguration: Sendable {
    /// What becomes of the cards that run when a person logs out, or when another person takes their place.
    public enum CardsOnLogout: Sendable, Hashable {
        /// They are taken off the Lock Screen at once, since they may be about the person who left.
        case end
        /// They stay and go on being updated.
        case keep
    }

    /// The server's base URL; the routes are appended to its path.
    public var server: URL
    /// The app's public key on that server.
    public var appKey: String
    /// Where the tokens of this build belong: builds run from Xcode to the sandbox, all others to production.
    public var environment: PushEnvironment
    /// The app's bundle identifier.
    public var bundleID: String
    /// The app's version and build.
    public var appVersion: String
    /// The folder in which the SDK keeps what must survive the app's death. It belongs to one instance alone.
    public var directory: URL
    /// What the system can do.
    public var capabilities: Capabilities
    /// What a logout does to running cards.
    public var cardsOnLogout: CardsOnLogout
    /// Called for each card that appeared without the app having named it, as those do that a push starts: the moment to fetch
    /// images into the app group, since a widget has no network. The system gives it some 30 seconds in the background. Where the
    /// app dies before it returns, the next launch calls it again, if the card still runs then.
    public var prepareCard: (@Sendable (AppearedCard) async -> Void)?
    /// The language in which the app speaks, a BCP 47 tag, for alerts with texts in several. The system starts an app anew when a person
    /// chooses another one, so it is looked up once.
    public var language: String?
    /// Writes one line for every problem and for every token that comes; a token is shortened to its first and last
    /// digits. The system's log unless said otherwise.
    public var log: @Sendable (String) -> Void

    /// Makes a configuration; without further words one for this app on this system.
    ///
    /// The environment is found out where it is not said, see `PushEnvironment.ofThisBuild`; all else is as the properties say.
    public init(
        server: URL, appKey: String, environment: PushEnvironment? = nil, bundleID: String? = nil,
        appVersion: String? = nil, directory: URL? = nil, capabilities: Capabilities = .current,
        cardsOnLogout: CardsOnLogout = .end, prepareCard: (@Sendable (AppearedCard) async -> Void)? = nil,
        language: String? = nil,
        log: @escaping @Sendable (String) -> Void = { NSLog("%@", $0) }
    ) {
        self.server = server
        self.appKey = appKey
        self.environment = environment ?? .ofThisBuild
        self.bundleID = bundleID ?? Bundle.main.bundleIdentifier ?? "unknown"
        self.appVersion = appVersion ?? Self.versionOfMainBundle
        self.directory = directory ?? Self.defaultDirectory
        self.capabilities = capabilities
        self.cardsOnLogout = cardsOnLogout
        self.prepareCard = prepareCard
        self.language = language ?? Self.languageOfMainBundle
        self.log = log
    }

    /// The one of the app's own languages that the person likes best. What the server would not take is none.
    private static var languageOfMainBundle: String? {
        Bundle.main.preferredLocalizations.first.flatMap { LanguageTag.isValid($0) ? $0 : nil }
    }

    /// `1.4 (27)`
    private static var versionOfMainBundle: String {
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        let build = Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String
        return "\(version ?? "0") (\(build ?? "0"))"
    }

    /// Application Support is kept by the system, unlike Caches.
    private static var defaultDirectory: URL {
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (support ?? FileManager.default.temporaryDirectory).appendingPathComponent("Eyot", isDirectory: true)
    }

    /// The SDK's version, as the server hears it.
    public static let sdkVersion = "0.1.0"
}
