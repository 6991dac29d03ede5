import APNSWire
import EyotContract
import Foundation
import Logging
import NIOCore
import NIOSSL

/// The pages and connections of one key in one environment. It runs on one event loop, so it needs no locks.
final class Lane {
    /// Seconds of silence after which a connection may have been cut without notice.
    private static let doubtAfter: TimeInterval = 600
    /// The pushes that one connection gets before another one is compared: about the content of a TLS record.
    private static let atOnce = 32

    private let address: APNSAddress
    private let tls: NIOSSLContext
    private let tokens: ProviderTokenCache
    private let configuration: APNSSenderConfiguration
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let report: LaneReport

    /// The pages with callers that wait for the result, by number. The streams bound the pages that wait only for
    /// answers.
    private var pages: [Int: PageFlight] = [:]
    /// The pages with pushes to be written, in the order in which they came.
    private var flights: [PageFlight] = []
    private var connections: [SenderConnection] = []
    private var isConnecting = false
    /// Failed attempts and connections since the last good answer. A good answer ends the doubling of pauses (R10).
    private var failures = 0
    private var backOff: Task<Void, Never>?
    private var isDraining = false
    private var drained: [CheckedContinuation<Void, Never>] = []

    init(
        address: APNSAddress, tls: NIOSSLContext, tokens: ProviderTokenCache, configuration: APNSSenderConfiguration,
        eventLoop: any EventLoop, report: LaneReport
    ) {
        self.report = report
        self.address = address
        self.tls = tls
        self.tokens = tokens
        self.configuration = configuration
        self.eventLoop = eventLoop
        var logger = configuration.logger
        logger[metadataKey: "service"] = "\(address.authority)"
        self.logger = logger
    }

    // MARK: Pages

    func begin(
        _ page: PushPage, number: Int, early: PageFlight.Early?,
        _ continuation: CheckedContinuation<PageVerdicts, Never>
    ) {
        let flight = PageFlight(
            number: number, page: page, authority: address.authority, startedAt: configuration.now(),
            window: page.isRepeatable ? page.count : configuration.unrepeatablePushesInFlight,
            early: early, continuation: continuation)
        guard !isDraining, flights.count < configuration.pagesPerKey else { return flight.settleWaiting() }
        pages[number] = flight
        flights.append(flight)
        fill()
    }

    /// Reports the known verdicts of a page that made no progress for a while.
    func reportIfStuck(_ number: Int) {
        guard let flight = pages[number], !flight.isSettled else { return }
        flight.look(flight.turn())
    }

    /// Ends a page if its time is over or its caller no longer waits. A settled page is only removed.
    func expire(_ number: Int) {
        guard let flight = pages.removeValue(forKey: number), !flight.isSettled else { return }
        let hasWaited = flight.hasWaiting
        flight.settleAll()
        for connection in connections {
            let hasCarried = connection.abandon(flight)
            // A connection that was silent all the time is dead, whatever TCP says. So is one that is still not ready.
            let isSilent = hasCarried && connection.lastHeard <= flight.startedAt
            if isSilent || hasWaited && !connection.isReady { connection.close() }
            // A connection that accepts nothing takes the place of another.
            if hasWaited, connection.isOfNoUse { connection.leave() }
        }
        fill()
    }

    /// Accepts no more pages and settles the unwritten pushes. Resumes when the rest is settled and all connections are
    /// closed.
    func drain(_ continuation: CheckedContinuation<Void, Never>?) {
        isDraining = true
        backOff?.cancel()
        if let continuation { drained.append(continuation) }
        for flight in flights { flight.settleWaiting() }
        finishIfDrained()
    }

    private func finishIfDrained() {
        guard isDraining, pages.values.allSatisfy(\.isSettled) else { return }
        for connection in connections { connection.leave() }
        guard connections.isEmpty, !isConnecting else { return }
        for continuation in drained { continuation.resume() }
        drained = []
    }

    // MARK: Writing

    /// Writes as much as there is room for. Opens a connection if pushes still wait.
    private func fill() {
        flights.removeAll { !$0.hasWaiting }
        guard !isDraining else { return finishIfDrained() }
        guard flights.contains(where: \.hasNext) else { return }
        let now = configuration.now()
        // The clock is read once, for the written pushes and for those that may no longer leave.
        let second = Int(now.timeIntervalSince1970.rounded(.down))
        for flight in flights { flight.keepBack(in: second) }
        let token: ProviderToken
        do {
            token = try tokens.token(at: now)
        } catch {
            logger.error("No provider token could be signed", metadata: ["error": "\(error)"])
            return settleWaiting()
        }
        for connection in connections where now.timeIntervalSince(connection.lastHeard) > Self.doubtAfter {
            connection.doubt()
        }
        while let flight = flights.first(where: \.hasNext), let connection = roomiest() {
            connection.send(flight, atMost: Self.atOnce, token: token.text, second: second)
        }
        for connection in connections { connection.flush() }
        flights.removeAll { !$0.hasWaiting }
        if flights.contains(where: \.hasNext) { connectIfAllowed() }
    }

    private func roomiest() -> SenderConnection? {
        guard let connection = connections.max(by: { $0.room < $1.room }), connection.room > 0 else { return nil }
        return connection
    }

    private func settleWaiting() {
        for flight in flights { flight.settleWaiting() }
        flights.removeAll { !$0.hasWaiting }
    }

    // MARK: Connecting

    /// Opens a connection if allowed. There is one attempt at a time, and only after the connection before is proven.
    private func connectIfAllowed() {
        let usable = connections.filter { !$0.isLeaving }
        guard !isConnecting, backOff == nil, usable.count < configuration.connectionsPerKey,
            usable.allSatisfy(\.wasProven)
        else { return }
        isConnecting = true
        note()
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        SenderConnection.open(to: address, tls: tls, configuration: configuration, on: eventLoop)
            .whenComplete { result in bound.value.attemptEnded(result) }
    }

    private func attemptEnded(_ result: Result<NIOLoopBound<SenderConnection>, any Error>) {
        isConnecting = false
        switch result {
        case .success(let bound) where !bound.value.isClosed:
            let connection = bound.value
            connection.owner = self
            connections.append(connection)
            if isDraining { connection.close() } else if connection.isReady { fill() }
        case .success(let bound): failed(bound.value.error)
        case .failure(let error): failed(error)
        }
        note()
        finishIfDrained()
    }

    /// Handles a failed connection. Waiting pushes are returned at once, unless another connection can send them.
    private func failed(_ error: (any Error)?) {
        logger.warning("No connection", metadata: ["error": "\(error.map { "\($0)" } ?? "closed by the server")"])
        if !connections.contains(where: { $0.isReady && !$0.isLeaving }) { settleWaiting() }
        startBackOff()
    }

    /// Reports the connections. Called when one of them changes, and not for each push.
    private func note() {
        var counts = APNSConnections()
        for connection in connections {
            if connection.isLeaving {
                counts.leaving += 1
            } else if connection.isReady {
                counts.ready += 1
            } else {
                counts.connecting += 1
            }
        }
        if isConnecting { counts.connecting += 1 }
        counts.failures = failures
        report.value = counts
    }

    private func startBackOff() {
        guard backOff == nil, !isDraining else { return }
        failures += 1
        note()
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let (clock, delay, eventLoop) = (
            configuration.clock, configuration.backOff.delay(afterFailures: failures), eventLoop
        )
        backOff = Task {
            // Cancelled only when the lane drains. Nothing is left to do then.
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            eventLoop.execute {
                bound.value.backOff = nil
                bound.value.fill()
            }
        }
    }
}

// MARK: - What connections report

extension Lane: SenderConnectionOwner {
    func connectionIsReady(_ connection: SenderConnection) {
        note()
        fill()
    }

    func connectionMayHaveRoom(_ connection: SenderConnection) { fill() }

    func providerTokenExpired(_ token: String) { tokens.forget(token, at: configuration.now()) }

    func connection(_ connection: SenderConnection, answered reason: APNSReason?) {
        switch reason {
        case nil where failures > 0:
            failures = 0
            note()
        case nil: break
        // Reported: after an expired token the connection answers nothing else, even to a valid one.
        case .expiredProviderToken, .tooManyProviderTokenUpdates, .idleTimeout, .shutdown: connection.leave()
        // Apple may keep its knowledge of key and topic for the life of a connection. A new connection sees the
        // correction.
        case let reason? where reason.action == .pauseApp: connection.leave()
        default: break
        }
    }

    func connectionIsLeaving(_ connection: SenderConnection) {
        note()
        guard !isDraining, connection.isReady else { return }
        let reason = connection.goAwayReason?.name ?? connection.error.map { "\($0)" } ?? "none given"
        logger.info("A connection takes no more pushes", metadata: ["reason": "\(reason)"])
        if !connection.hasLived { startBackOff() }
    }

    func connectionClosed(_ connection: SenderConnection) {
        connections.removeAll { $0 === connection }
        note()
        if !connection.isReady { failed(connection.error) }
        fill()
        finishIfDrained()
    }
}
