import APNSWire
import EyotContract
import Foundation
import Logging

/// How a simulator is set up.
public struct APNSSimulatorConfiguration: Sendable {
    /// The interface to listen on. Only loopback makes sense, because the simulator trusts every client.
    public var host = "127.0.0.1"
    /// Ports by endpoint; an endpoint that is absent or 0 gets a free port.
    public var ports: [APNSEndpoint: Int] = [:]
    /// Teams, apps and keys that are known from the start; more may be registered later.
    public var teams: [APNSTeam]
    /// The switches for behaviour that Apple leaves open.
    public var rules = APNSRules()
    /// Sizes and counts.
    public var limits = APNSSimulatorLimits()
    /// The time that provider tokens and answers are judged by.
    public var now: @Sendable () -> Date = { Date() }
    /// The clock that delays late answers.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Logs each connection at debug level, and errors.
    public var logger = Logger(label: "apns-simulator")

    /// The defaults, with these teams.
    public init(teams: [APNSTeam] = []) { self.teams = teams }
}

/// How much a simulator takes.
public struct APNSSimulatorLimits: Sendable {
    /// Streams of one connection at a time once it has shown a valid provider token: at most 65,536.
    public var concurrentStreams = 1_000
    /// Connections at a time, over all endpoints; further ones are closed at once.
    public var connections = 1_000
    /// Channels of one app in one environment. Apple's figure is ``APNSLimits/channels``.
    public var channels = APNSLimits.channels
    /// Broadcasts that one channel accepts within 60 seconds; further ones are answered 429 TooManyRequests. Nil is no
    /// limit. Apple throttles broadcasts and publishes no figure; about four a minute are reported.
    public var broadcastsPerMinute: Int?
    /// Requests that are kept for ``APNSSimulator/requests(limit:)``.
    public var recordedRequests = 1_000
    /// Within this time after connecting a client must have begun to speak HTTP/2.
    public var handshake: Duration = .seconds(10)
    /// How long a connection may be without traffic. After that it gets GOAWAY with IdleTimeout and is closed. A guess:
    /// Apple names no figure and asks for connections that last for hours.
    public var idle: Duration = .seconds(3_600)

    /// The defaults.
    public init() {}
}
