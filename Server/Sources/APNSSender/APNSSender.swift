import APNSWire
import EyotContract
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Sends pages of pushes to Apple and says what became of each push.
///
/// It keeps a few long-lived HTTP/2 connections for each key and environment, signs their provider tokens, and writes token,
/// id and timestamp into each push at the moment it is bound to bytes (R7). It never sends a push twice (R2): what could
/// not be sent comes back as not processed, what may or may not have arrived as unknown, and the caller decides.
public final class APNSSender: Sendable {
    private struct Lanes {
        var byKey: [LaneKey: LaneHandle] = [:]
        var channels: [LaneKey: (lane: ChannelLane, lastUse: Int)] = [:]
        var tokens: [ProviderKey: ProviderTokenCache] = [:]
        var pages = 0
        var isShutDown = false
    }

    private struct Place: Hashable {
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

    /// Checks the configuration and reads the authorities' file. Connections are opened when there is something to send.
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

    /// Sends a page with a key, and returns when every push has a verdict: at the latest after the configured time.
    ///
    /// Where the calling task is cancelled, the page ends as if its time were up.
    ///
    /// - Parameter early: told what is known of a page with which nothing happens any more, while the rest waits for its
    ///   answers (R10); again when more is known. Called on an event loop, and not after this has returned.
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
                // After that, so that a page whose caller is cancelled already is there to be ended.
                group.addTask {
                    // Ends early when the page is settled, and when the caller is cancelled. A settled page does not mind.
                    try? await Self.wait(
                        configuration.pageTimeout, on: configuration.clock,
                        lookingEvery: early == nil ? .zero : configuration.patience / PageFlight.looksOfPatience
                    ) { lane.perform { $0.tellIfStuck(number) } }
                    lane.perform { $0.expire(number) }
                }
            }
            group.cancelAll()
            return verdicts
        }
        lane.pageEnded()
        return verdicts
    }

    /// Waits, and looks now and then; zero never looks.
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

    /// Takes no more pages, returns the unsent pushes of those under way as not processed, waits for Apple's answers to the
    /// sent ones as long as their pages have time, and closes all connections.
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

    /// The lane and a number for the page; nil after the shutdown, and where there are too many keys in use.
    private func lane(of key: ProviderKey, at place: Place) -> (LaneHandle, Int)? {
        var unused: LaneHandle?
        // With the lock open: the event loop may run the job at once.
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

    /// All connections of a key share its provider token.
    private static func tokens(of key: ProviderKey, in lanes: inout Lanes) -> ProviderTokenCache {
        if let tokens = lanes.tokens[key] { return tokens }
        let tokens = ProviderTokenCache(key: key)
        lanes.tokens[key] = tokens
        return tokens
    }

    /// Removes the longest unused lane where all places are taken; false where all are in use. The caller drains it.
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

// MARK: - Channels

extension APNSSender {
    /// The channels of an app in an environment. Where more keys are in use than the configuration allows, the longest unused
    /// one gets a new connection when it is used again.
    public func channels(
        of bundleID: String, in environment: PushEnvironment, key: ProviderKey
    ) -> APNSChannels {
        APNSChannels(bundleID: bundleID, lane: channelLane(of: key, in: environment))
    }

    /// Nil after the shutdown.
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
                // Its connection closes with the last one who holds it.
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
