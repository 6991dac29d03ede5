import APNSWire
import Foundation
import Logging
import NIOCore
import NIOHTTP2
import NIOSSL

/// The requests about channels of one key in one environment, one after the other over one connection.
///
/// There are few of them, and each caller waits for its answer. More streams would not help.
actor ChannelLane {
    /// The most requests that wait for their turn. A further one is returned as not processed at once.
    private static let waitingLimit = 64
    /// Seconds of silence after which a connection may have been cut without notice.
    private static let doubtAfter: TimeInterval = 600

    private let address: APNSAddress
    private let tls: NIOSSLContext
    private let tokens: ProviderTokenCache
    private let configuration: APNSSenderConfiguration
    private let eventLoop: any EventLoop

    private var connection: ChannelConnection?
    private var lastUse = Date.distantPast
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isRetired = false

    init(
        address: APNSAddress, tls: NIOSSLContext, tokens: ProviderTokenCache, configuration: APNSSenderConfiguration,
        eventLoop: any EventLoop
    ) {
        self.address = address
        self.tls = tls
        self.tokens = tokens
        self.configuration = configuration
        self.eventLoop = eventLoop
    }

    deinit { connection?.close() }

    /// Makes one request in its turn, within the timeout of a page.
    func perform(_ call: ChannelCall) async throws(APNSChannelError) -> ChannelResponse {
        guard waiting.count < Self.waitingLimit else { throw .notProcessed("too many requests wait") }
        await begin()
        defer { end() }
        guard !isRetired else { throw .notProcessed("the sender was shut down") }
        let now = configuration.now()
        let token: ProviderToken
        do {
            token = try tokens.token(at: now)
        } catch {
            throw .notProcessed("no provider token could be signed: \(error)")
        }
        let connection = try await open(at: now)
        lastUse = now
        let response: ChannelResponse
        do {
            let headers = call.headers(authority: address.authority, token: token.text)
            response = try await within(configuration.pageTimeout) { try await connection.send(headers, call.body) }
        } catch {
            drop(connection)
            throw Self.failure(error)
        }
        if response.status >= 400 { refused(ErrorBody(status: response.status, bytes: response.body).reason, token) }
        return response
    }

    /// Accepts no more requests, and closes after the present one is answered.
    func retire() async {
        isRetired = true
        await begin()
        connection?.close()
        connection = nil
        end()
    }

    // MARK: Turns

    private func begin() async {
        guard isBusy else {
            isBusy = true
            return
        }
        // `end()` passes the turn on.
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }

    // MARK: The connection

    private func open(at now: Date) async throws(APNSChannelError) -> ChannelConnection {
        if let connection, connection.isOpen, now.timeIntervalSince(lastUse) <= Self.doubtAfter { return connection }
        connection?.close()
        do {
            let opened = try await ChannelConnection.open(
                to: address, tls: tls, timeout: configuration.pageTimeout, on: eventLoop)
            connection = opened
            return opened
        } catch {
            connection = nil
            configuration.logger.warning(
                "No connection", metadata: ["service": "\(address.authority)", "error": "\(error)"])
            throw .notProcessed("no connection: \(error)")
        }
    }

    private func drop(_ connection: ChannelConnection) {
        connection.close()
        self.connection = nil
    }

    /// Closes the connection after reasons that end it: Apple answers nothing else on it, or is about to close it.
    private func refused(_ reason: APNSReason, _ token: ProviderToken) {
        switch reason {
        case .expiredProviderToken: tokens.forget(token.text, at: configuration.now())
        case .tooManyProviderTokenUpdates, .unrelatedKeyIDInToken, .idleTimeout, .shutdown: break
        default: return
        }
        connection?.close()
        connection = nil
    }

    private struct TooLate: Error, CustomStringConvertible {
        let limit: Duration
        var description: String { "no answer within \(limit)" }
    }

    private func within(
        _ limit: Duration, _ body: @escaping @Sendable () async throws -> ChannelResponse
    ) async throws -> ChannelResponse {
        let clock = configuration.clock
        return try await withThrowingTaskGroup(of: ChannelResponse.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                try await clock.sleep(for: limit)
                throw TooLate(limit: limit)
            }
            guard let response = try await group.next() else { throw CancellationError() }
            return response
        }
    }

    /// Maps an error. Only REFUSED_STREAM, and a GOAWAY before the request, guarantee that nothing was done. A later
    /// GOAWAY looks like any cancelled stream.
    private static func failure(_ error: any Error) -> APNSChannelError {
        switch error {
        case let closed as NIOHTTP2Errors.StreamClosed where closed.errorCode == .refusedStream:
            .notProcessed("the stream was refused")
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway: .notProcessed("Apple closes the connection")
        default: .unknown("\(error)")
        }
    }
}
