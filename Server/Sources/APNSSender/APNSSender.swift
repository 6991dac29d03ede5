import APNSWire
import EyotContract
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A sender of pages of pushes to Apple, which returns the outcome of each push.
///
/// It keeps a few long-lived HTTP/2 connections for each key and environment and signs their provider tokens. It writes
/// token, id and timestamp into each push at the moment when the push is bound to bytes (R7). It never sends a push
/// twice (R2). A push that could not be sent is returned as not processed, and one that may have arrived as unknown.
/// The caller decides what follows.
public final class APNSSender: Sendable {
    private struct Lanes {
        var byKey: [LaneKey: LaneHandle] = [:]
        var channels: [LaneKey: (lane: ChannelLane, lastUse: Int)] = [:]
        var tokens: [ProviderKey: ProviderTokenCache] = [:]
        var pages = 0
        var isShutDown = false
    }

    struct Place: Hashable {
        let service: APNSService
        let environment: PushEnvironment
    }

    private struct LaneKey: Hashable {
        let place: Place
        let key: ProviderKey
    }

    private let configuration: APNSSenderConfiguration
    private let addresses: [Place: APNSAddress]
    private let tls: NIOSSLContext
    private let group: any EventLoopGroup
    private let lanes = Mutex(Lanes())

    /// Checks the configuration and reads the authorities' file. Connections are opened when there is something to
    /// send.
    ///
    /// - Throws: ``APNSSenderError``.
    public init(
        _ configuration: APNSSenderConfiguration = .init(),
        eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws(APNSSenderError) {
        self.configuration = configuration
        var addresses: [Place: APNSAddress] = [:]
        for service in APNSService.allCases {
            for environment in PushEnvironment.allCases {
                let place = Place(service: service, environment: environment)
                addresses[place] = try APNSAddress(configuration.url(of: service, in: environment))
            }
        }
        self.addresses = addresses
        tls = try configuration.trust.makeContext()
        group = eventLoopGroup
    }

    /// Sends a page with a key. Returns when every push has a verdict, at the latest after
    /// ``APNSSenderConfiguration/pageTimeout``.
    ///
    /// If the calling task is cancelled, the page ends as if its time were over.
    ///
    /// - Parameter early: called with the known verdicts of a page that makes no progress, while the rest waits for its
    ///   answers (R10). Called again when more verdicts are known. Called on an event loop, and not after this method
    ///   has returned.
    public func send(
        _ page: PushPage, key: ProviderKey, early: (@Sendable (PageVerdicts) -> Void)? = nil
    ) async -> PageVerdicts {
        let service: APNSService = page.recipients == .tokens ? .pushes : .broadcasts
        guard page.count > 0,
            let (lane, number) = lane(of: key, at: Place(service: service, environment: page.environment))
        else {
            return PageVerdicts(count: page.count, .notProcessed)
        }
        let configuration = configuration
        let verdicts = await withTaskGroup(of: Void.self) { group in
            let verdicts = await withCheckedContinuation { continuation in
                lane.perform { $0.begin(page, number: number, early: early, continuation) }
                // Added after the page began, so that a page of a cancelled caller exists when it is ended.
                group.addTask {
                    // Ends early when the page is settled or the caller is cancelled. A settled page ignores the rest.
                    try? await Self.wait(
                        configuration.pageTimeout, on: configuration.clock,
                        lookingEvery: early == nil ? .zero : configuration.patience / PageFlight.looksOfPatience
                    ) { lane.perform { $0.reportIfStuck(number) } }
                    lane.perform { $0.expire(number) }
                }
            }
            group.cancelAll()
            return verdicts
        }
        lane.pageEnded()
        return verdicts
    }

    /// Waits, and calls `look` at intervals of `pause`; zero never calls it.
    private static func wait<Time: Clock<Duration>>(
        _ duration: Duration, on clock: Time, lookingEvery pause: Duration, _ look: () -> Void
    ) async throws {
        let end = clock.now.advanced(by: duration)
        while pause > .zero, case let next = clock.now.advanced(by: pause), next < end {
            try await clock.sleep(until: next, tolerance: nil)
            look()
        }
        try await clock.sleep(until: end, tolerance: nil)
    }

    /// Accepts no more pages and returns the unsent pushes of present pages as not processed. Waits for Apple's answers
    /// to the sent ones for as long as their pages have time, then closes all connections.
    public func shutdown() async {
        let (handles, channels) = lanes.withLock { lanes in
            lanes.isShutDown = true
            return (Array(lanes.byKey.values), lanes.channels.values.map(\.lane))
        }
        await withDiscardingTaskGroup { group in
            for handle in handles { group.addTask { await handle.drain() } }
            for lane in channels { group.addTask { await lane.retire() } }
        }
    }

    /// Tries to reach a service: name, TCP, TLS, HTTP/2. Sends no push and needs no key.
    public func probe(_ environment: PushEnvironment, _ service: APNSService = .pushes) async -> APNSProbe {
        guard let address = addresses[Place(service: service, environment: environment)] else {
            return .unreachable("there is no address for it")
        }
        return await ProbeConnection.run(
            address, tls: tls, configuration: configuration, eventLoop: group.next())
    }

    /// The last reports of all lanes for pushes.
    var reports: [(place: Place, report: APNSConnections)] {
        lanes.withLock { lanes in lanes.byKey.map { ($0.key.place, $0.value.connections) } }
    }

    /// Returns the lane and a number for the page. Nil after the shutdown, or if too many keys are in use.
    private func lane(of key: ProviderKey, at place: Place) -> (LaneHandle, Int)? {
        var unused: LaneHandle?
        // Runs without the lock, because the event loop may run the job at once.
        defer { unused?.perform { $0.drain(nil) } }
        return lanes.withLock { lanes in
            guard !lanes.isShutDown, let address = addresses[place] else { return nil }
            lanes.pages += 1
            let laneKey = LaneKey(place: place, key: key)
            if let lane = lanes.byKey[laneKey] {
                lane.pageBegan(lanes.pages)
                return (lane, lanes.pages)
            }
            guard makeRoom(in: &lanes, removing: &unused) else { return nil }
            let lane = LaneHandle(
                address: address, tls: tls, tokens: Self.tokens(of: key, in: &lanes), configuration: configuration,
                eventLoop: group.next())
            lane.pageBegan(lanes.pages)
            lanes.byKey[laneKey] = lane
            return (lane, lanes.pages)
        }
    }

    /// Returns the provider tokens of a key, which all its connections share.
    private static func tokens(of key: ProviderKey, in lanes: inout Lanes) -> ProviderTokenCache {
        if let tokens = lanes.tokens[key] { return tokens }
        let tokens = ProviderTokenCache(key: key)
        lanes.tokens[key] = tokens
        return tokens
    }

    /// Removes the longest unused lane if all places are taken. Returns false if all lanes are in use. The caller
    /// drains the removed lane.
    private func makeRoom(in lanes: inout Lanes, removing unused: inout LaneHandle?) -> Bool {
        guard lanes.byKey.count >= max(1, configuration.keys) else { return true }
        let candidates = lanes.byKey.filter { $0.value.isUnused }
        guard let oldest = candidates.min(by: { $0.value.lastPage < $1.value.lastPage }) else { return false }
        lanes.byKey[oldest.key] = nil
        let rest = [Array(lanes.byKey.keys), Array(lanes.channels.keys)].joined()
        if !rest.contains(where: { $0.key == oldest.key.key }) { lanes.tokens[oldest.key.key] = nil }
        unused = oldest.value
        return true
    }
}

// MARK: - Tokens that several senders agree on

extension APNSSender {
    /// Returns what a new token of a key has to differ from; nil if the sender has a usable one. Without a token from
    /// ``use(_:of:)`` the sender signs one itself.
    public func tokenNeed(of key: ProviderKey) -> ProviderTokenNeed? {
        guard let tokens = lanes.withLock({ $0.tokens[key] }) else { return ProviderTokenNeed(rejected: nil) }
        return tokens.need(at: configuration.now())
    }

    /// Makes the sender use a token of another one with the same key. A usable token that it has stays.
    public func use(_ token: ProviderToken, of key: ProviderKey) {
        let tokens = lanes.withLock { lanes in
            lanes.isShutDown ? nil : Self.tokens(of: key, in: &lanes)
        }
        tokens?.use(token, at: configuration.now())
    }
}

// MARK: - Channels

extension APNSSender {
    /// Returns the channels of an app in an environment. If more keys are in use than the configuration allows, the
    /// longest unused key gets a new connection at its next use.
    public func channels(
        of bundleID: String, in environment: PushEnvironment, key: ProviderKey
    ) -> APNSChannels {
        APNSChannels(bundleID: bundleID, lane: channelLane(of: key, in: environment))
    }

    /// Returns the lane for requests about channels; nil after the shutdown.
    private func channelLane(of key: ProviderKey, in environment: PushEnvironment) -> ChannelLane? {
        lanes.withLock { lanes in
            let place = Place(service: .channels, environment: environment)
            guard !lanes.isShutDown, let address = addresses[place] else { return nil }
            let laneKey = LaneKey(place: place, key: key)
            lanes.pages += 1
            if let lane = lanes.channels[laneKey]?.lane {
                lanes.channels[laneKey]?.lastUse = lanes.pages
                return lane
            }
            if lanes.channels.count >= max(1, configuration.keys) {
                // The lane's connection closes when the last holder releases it.
                lanes.channels.min { $0.value.lastUse < $1.value.lastUse }.map { lanes.channels[$0.key] = nil }
            }
            let lane = ChannelLane(
                address: address, tls: tls, tokens: Self.tokens(of: key, in: &lanes), configuration: configuration,
                eventLoop: group.next())
            lanes.channels[laneKey] = (lane, lanes.pages)
            return lane
        }
    }
}
