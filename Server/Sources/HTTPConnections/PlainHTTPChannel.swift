import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection that speaks HTTP/1.1 and nothing else: Hummingbird's, with ``RequestDecoder``, ``ContinueHandler`` and, if
/// the listener has limits, ``GuardHandler``.
package struct PlainHTTPChannel: ServerChildChannel {
    package typealias Value = HTTP1Channel.Value

    private let base: HTTP1Channel
    private let connectionGuard: ConnectionGuard?

    /// - Parameter connectionGuard: nil takes every connection, for as long as its client likes.
    package init(_ base: HTTP1Channel, guardedBy connectionGuard: ConnectionGuard? = nil) {
        self.base = base
        self.connectionGuard = connectionGuard
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let place: ConnectionCounts.Place?
        do {
            place = try connectionGuard?.admit(channel)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger).flatMap { value in
            addHandlers(to: channel, place).map { value }
        }
    }

    package func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    /// Puts our decoder in place of NIO's before the first byte is read.
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
            var handlers: [any ChannelHandler] = [ByteToMessageHandler(decoder), ContinueHandler(decoder: decoder)]
            if let connectionGuard, let place {
                let gate = ByteGate()
                handlers.insert(GuardHandler(connectionGuard, place: place, gate: gate), at: 1)
                handlers.insert(gate, at: 0)
            }
            try pipeline.addHandlers(handlers, position: .after(former.handler))
            return pipeline.removeHandler(context: former)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }
}
