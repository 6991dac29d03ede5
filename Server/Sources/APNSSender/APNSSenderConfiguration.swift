import EyotContract
import Foundation
import Logging

/// How a sender is set up.
public struct APNSSenderConfiguration: Sendable {
    /// Whose server certificates are trusted.
    public enum Trust: Sendable, Equatable {
        /// The machine's own list.
        case system
        /// The certificates in this PEM file and no others.
        case authorities(pemFile: String)
    }

    /// Where sandbox pushes go: `https://`, a host, and a port where it is not 443.
    public var sandboxURL = "https://api.sandbox.push.apple.com"
    /// Where production pushes go.
    public var productionURL = "https://api.push.apple.com"
    /// Where broadcasts to channels of the sandbox go. Apple's page names these hosts in its samples, and those for pushes in
    /// its text.
    public var sandboxBroadcastURL = "https://api-broadcast.sandbox.push.apple.com"
    /// Where broadcasts to channels of production go.
    public var productionBroadcastURL = "https://api-broadcast.push.apple.com"
    /// Where channels of the sandbox are made and deleted.
    public var sandboxChannelsURL = "https://api-manage-broadcast.sandbox.push.apple.com:2195"
    /// Where channels of production are made and deleted.
    public var productionChannelsURL = "https://api-manage-broadcast.push.apple.com:2196"
    /// Whose server certificates are trusted.
    public var trust = Trust.system
    /// Connections for each key and environment; requests about channels have one of their own. A further one is opened when
    /// those that are there have no room: pushes that Apple does not answer take room until their page's time is up.
    public var connectionsPerKey = 4
    /// Pushes in flight on one connection, where Apple allows more.
    public var streamsPerConnection = 1_000
    /// Pushes of one page in flight, where the page must not be repeated: when Apple answers slowly, the rest of it comes
    /// back as not processed, and not as unknown.
    public var unrepeatablePushesInFlight = 100
    /// After this time a page is settled, with whatever is known (R10).
    public var pageTimeout: Duration = .seconds(10)
    /// After so long without a push of a page written or answered, and up to a quarter longer, its caller is told what is known; after a
    /// quarter to a half of it where newer pushes on the same connections were answered. Zero tells nothing before the page is
    /// settled. Longer than an answer takes.
    public var patience: Duration = .milliseconds(150)
    /// Pages of one key and environment of which something may wait to be written; a further one comes back as not processed at once.
    public var pagesPerKey = 64
    /// Keys, counted once for each environment and service, that may have connections; the longest unused one makes room, and where
    /// all are in use the page comes back as not processed.
    public var keys = 64
    /// Pauses after attempts to connect that fail, and after connections that end within ten good answers. Each is
    /// twice the one before. After a good answer the next pause is the first one again.
    public var backOff = BackOff()
    /// The clock of timestamps and provider tokens.
    public var now: @Sendable () -> Date = { Date() }
    /// What page timeout and back-off wait on.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Gets a line for each connection lost or refused.
    public var logger = Logger(label: "apns-sender")

    /// The defaults: Apple's two services.
    public init() {}

    /// Where a service is in an environment.
    public func url(of service: APNSService, in environment: PushEnvironment) -> String {
        switch (service, environment) {
        case (.pushes, .sandbox): sandboxURL
        case (.pushes, .production): productionURL
        case (.broadcasts, .sandbox): sandboxBroadcastURL
        case (.broadcasts, .production): productionBroadcastURL
        case (.channels, .sandbox): sandboxChannelsURL
        case (.channels, .production): productionChannelsURL
        }
    }
}

/// What Apple has hosts of its own for.
public enum APNSService: Sendable, Hashable, CaseIterable {
    /// Pushes to tokens.
    case pushes
    /// Pushes to broadcast channels.
    case broadcasts
    /// Making and deleting broadcast channels.
    case channels
}

/// Waits that double from the first to the longest.
public struct BackOff: Sendable, Equatable {
    /// After the first failure.
    public var first: Duration
    /// However many failures there were.
    public var longest: Duration

    /// Half a second, doubling up to 30 s, unless told otherwise.
    public init(first: Duration = .milliseconds(500), longest: Duration = .seconds(30)) {
        self.first = first
        self.longest = longest
    }

    /// The wait after so many failures in a row, 1 or more.
    func delay(afterFailures failures: Int) -> Duration {
        min(longest, first * (1 << min(max(0, failures - 1), 20)))
    }
}

/// What is wrong with a sender's configuration.
public enum APNSSenderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Not `https://host` or `https://host:port`.
    case badURL(String)
    /// The file of authorities cannot be read or holds no certificate.
    case badAuthorities(pemFile: String, reason: String)

    /// What is wrong and what to write instead.
    public var description: String {
        switch self {
        case .badURL(let url): "\"\(url)\" is not the URL of a push service; write https://host or https://host:port"
        case .badAuthorities(let file, let reason):
            "No authorities in \(file): \(reason); name a PEM file of certificates"
        }
    }
}
