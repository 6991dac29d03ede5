import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL

/// A connection that speaks only HTTP/1.1. It is Hummingbird's, with ``RequestDecoder``, ``ContinueHandler``,
/// ``WholeRequestHandler`` and, if the listener has limits, ``GuardHandler``.
package struct PlainHTTPChannel: ServerChildChannel {
    package typealias Value = HTTP1Channel.Value

    private let base: HTTP1Channel
    private let connectionGuard: ConnectionGuard?
    private let certificate: ServerCertificate?

    /// - Parameters:
    ///   - connectionGuard: The limits; nil accepts every connection for any time.
    ///   - certificate: Nil for no TLS.
    package init(
        _ base: HTTP1Channel, guardedBy connectionGuard: ConnectionGuard? = nil, certificate: ServerCertificate? = nil
    ) {
        self.base = base
        self.certificate = certificate
        self.connectionGuard = connectionGuard
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let place: ConnectionCounts.Place?
        do {
            place = try connectionGuard?.admit(channel, hasHandshake: certificate != nil)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger).flatMap { value in
            addHandlers(to: channel, place).map { value }
        }
    }

    package func handle(value: HTTP1Channel.Value, logger: Logger) async {
        guard connectionGuard?.beginsWithProxyHeader(value.channel.remoteAddress) == true else {
            return await base.handle(value: value, logger: logger)
        }
        let channel = value.channel
        let told = try? await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.handler(type: GuardHandler.self).told
        }.get()
        guard let told else {
            // The connection has ended. Without the caller's address its requests are not carried out.
            return (try? await value.executeThenClose { _, _ in }) ?? ()
        }
        await ProxiedAddress.$current.withValue(told) { await base.handle(value: value, logger: logger) }
    }

    private func proxyHandler(of channel: any Channel, _ handler: GuardHandler) -> ProxyV2Handler {
        ProxyV2Handler {
            handler.note(caller: $0, channel)
        } onFault: {
            connectionGuard?.refusals.note(.malformed)
        }
    }

    /// Replaces NIO's decoder by Eyot's before the first byte is read.
    private func addHandlers(to channel: any Channel, _ place: ConnectionCounts.Place?) -> EventLoopFuture<Void> {
        let limits = base.configuration.httpDecoder
        var configuration = NIOHTTPDecoderLimitConfiguration()
        configuration.maxHeaderFieldSize = limits.maxHeaderFieldSize
        configuration.maxHeaderListSize = limits.maxHeaderListSize
        configuration.maxHeaderFieldCount = limits.maxHeaderFieldCount
        do {
            let pipeline = channel.pipeline.syncOperations
            let former = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let decoder = RequestDecoder(limits: configuration)
            if let certificate {
                try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context), position: .first)
            }
            var handlers: [any ChannelHandler] = [
                ByteToMessageHandler(decoder), ContinueHandler(decoder: decoder), WholeRequestHandler(),
            ]
            if let connectionGuard, let place {
                let hasHeader = connectionGuard.beginsWithProxyHeader(channel.remoteAddress)
                let gate = ByteGate()
                let handler = GuardHandler(
                    connectionGuard, place: place, gate: gate, told: hasHeader ? ProxiedAddress() : nil)
                handlers.insert(handler, at: 1)
                handlers.insert(gate, at: 0)
                if hasHeader { try pipeline.addHandler(proxyHandler(of: channel, handler), position: .first) }
            }
            try pipeline.addHandlers(handlers, position: .after(former.handler))
            return pipeline.removeHandler(context: former)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }
}
