import EyotContract
import Foundation

/// The settings of the SDK for an app.
public struct EyotConfiguration: Sendable {
    /// The fate of running cards when a user logs out, or when another user logs in.
    public enum CardsOnLogout: Sendable, Hashable {
        /// The cards are removed from the Lock Screen at once, because they may be about the former user.
        case end
        /// The cards stay and get further updates.
        case keep
    }

    /// The server's base URL; the routes are appended to its path. Another server gets a registration of its own and no
    /// secret of the first.
    public var server: URL
    /// The app's public key on that server, `eyot_pk_…`. The SDK registers again when it changes.
    public var appKey: String
    /// The push environment of this build's tokens: sandbox for builds run from Xcode, production for all others.
    public var environment: PushEnvironment
    /// The app's bundle identifier.
    public var bundleID: String
    /// The app's version and build.
    public var appVersion: String
    /// The folder for state that must survive the end of the process. Only one instance may use it at a time; see
    /// ``EyotProblem/folderInUse(path:)``.
    public var directory: URL
    /// The abilities of the system.
    public var capabilities: Capabilities
    /// The fate of running cards at a logout.
    public var cardsOnLogout: CardsOnLogout
    /// A closure that is called for each card that appeared and was not named by the app, for example one that a push
    /// started.
    ///
    /// It is the moment to fetch images into the app group, because a widget has no network. In the background the
    /// system grants about 30 seconds. If the app dies before the closure returns, the next launch calls it again if
    /// the card still runs.
    public var prepareCard: (@Sendable (AppearedCard) async -> Void)?
    /// The language of the app, a BCP 47 tag, for alerts in several languages. It is read once, because the system
    /// restarts an app when its language changes.
    public var language: String?
    /// A closure that writes one line for each problem and for each new token. A token is shortened to its first and
    /// last digits. The default is the system's log.
    public var log: @Sendable (String) -> Void

    /// Makes a configuration. The defaults describe this app on this system.
    ///
    /// The default environment is `PushEnvironment.ofThisBuild`.
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

    /// The app's language that the person prefers most; nil if it is not a valid tag.
    private static var languageOfMainBundle: String? {
        Bundle.main.preferredLocalizations.first.flatMap { LanguageTag.isValid($0) ? $0 : nil }
    }

    /// Version and build: `1.4 (27)`.
    private static var versionOfMainBundle: String {
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        let build = Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String
        return "\(version ?? "0") (\(build ?? "0"))"
    }

    /// The default folder. It is in Application Support, which the system keeps, unlike Caches.
    private static var defaultDirectory: URL {
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (support ?? FileManager.default.temporaryDirectory).appendingPathComponent("Eyot", isDirectory: true)
    }

    /// The SDK's version as it is sent to the server.
    public static let sdkVersion = "0.2.0"
}
