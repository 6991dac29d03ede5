import EyotContract
import Foundation
import Logging

/// The configuration of a sender.
public struct APNSSenderConfiguration: Sendable {
    /// The trusted authorities of server certificates.
    public enum Trust: Sendable, Equatable {
        /// The machine's own list.
        case system
        /// The certificates in this PEM file and no others.
        case authorities(pemFile: String)
    }

    /// The service for sandbox pushes: `https://`, a host, and a port if it is not 443.
    public var sandboxURL = "https://api.sandbox.push.apple.com"
    /// The service for production pushes.
    public var productionURL = "https://api.push.apple.com"
    /// The service for broadcasts to channels of the sandbox. Apple's page names these hosts in its samples, and the
    /// hosts for pushes in its text.
    public var sandboxBroadcastURL = "https://api-broadcast.sandbox.push.apple.com"
    /// The service for broadcasts to channels of production.
    public var productionBroadcastURL = "https://api-broadcast.push.apple.com"
    /// The service that makes and deletes channels of the sandbox.
    public var sandboxChannelsURL = "https://api-manage-broadcast.sandbox.push.apple.com:2195"
    /// The service that makes and deletes channels of production.
    public var productionChannelsURL = "https://api-manage-broadcast.push.apple.com:2196"
    /// The trusted authorities of server certificates.
    public var trust = Trust.system
    /// The most connections for each key and environment. Requests about channels have one of their own. A further
    /// connection is opened when the present ones have no room. Unanswered pushes take room until their page's time is
    /// over.
    public var connectionsPerKey = 4
    /// The most pushes in flight on one connection, even if Apple allows more.
    public var streamsPerConnection = 1_000
    /// The most pushes in flight of one page that must not be repeated. If Apple answers slowly, the rest of the page
    /// is returned as not processed instead of unknown.
    public var unrepeatablePushesInFlight = 100
    /// The time after which a page is settled with the known verdicts (R10).
    public var pageTimeout: Duration = .seconds(10)
    /// The time without progress after which a page's known verdicts are reported early. Progress is a push of the page
    /// that is written or answered.
    ///
    /// The report comes up to a quarter later. It comes after a quarter to a half of this time if newer pushes on the
    /// same connections were answered. Zero reports nothing before the page is settled. The value must be longer than
    /// an answer takes.
    public var patience: Duration = .milliseconds(150)
    /// The most pages of one key and environment with pushes that wait to be written. A further page is returned as not
    /// processed at once.
    public var pagesPerKey = 64
    /// The most keys with connections, counted once for each environment and service. The longest unused key is
    /// replaced. If all are in use, the page is returned as not processed.
    public var keys = 64
    /// The pauses after failed attempts to connect, and after connections that end before ten good answers. Each pause
    /// is twice the one before. A good answer resets it to the first.
    public var backOff = BackOff()
    /// The clock of timestamps and provider tokens.
    public var now: @Sendable () -> Date = { Date() }
    /// The clock for page timeouts and backoff.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The log, with a line for each connection that is lost or refused.
    public var logger = Logger(label: "apns-sender")

    /// Makes the default configuration: Apple's services.
    public init() {}

    /// Returns the URL of a service in an environment.
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

/// The services for which Apple has hosts of their own.
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
    /// The wait after the first failure.
    public var first: Duration
    /// The longest wait after any number of failures.
    public var longest: Duration

    /// Makes a backoff. The default is half a second, doubling up to 30 s.
    public init(first: Duration = .milliseconds(500), longest: Duration = .seconds(30)) {
        self.first = first
        self.longest = longest
    }

    /// Returns the wait after a number of failures in a row, 1 or more.
    func delay(afterFailures failures: Int) -> Duration {
        min(longest, first * (1 << min(max(0, failures - 1), 20)))
    }
}

/// The error of a sender's configuration.
public enum APNSSenderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The URL is not `https://host` or `https://host:port`.
    case badURL(String)
    /// The file of authorities cannot be read or has no certificate.
    case badAuthorities(pemFile: String, reason: String)

    /// A sentence with the error and its correction.
    public var description: String {
        switch self {
        case .badURL(let url): "\"\(url)\" is not the URL of a push service; write https://host or https://host:port"
        case .badAuthorities(let file, let reason):
            "No authorities in \(file): \(reason); name a PEM file of certificates"
        }
    }
}
