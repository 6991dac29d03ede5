import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection that speaks HTTP/1.1 and nothing else: Hummingbird's, with ``RequestDecoder`` and ``ContinueHandler``.
package struct PlainHTTPChannel: ServerChildChannel {
    package typealias Value = HTTP1Channel.Value

    private let base: HTTP1Channel

    package init(_ base: HTTP1Channel) { self.base = base }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let limits = base.configuration.httpDecoder
        return base.setup(channel: channel, logger: logger).flatMap { value in
            Self.replaceDecoder(of: channel, limits).map { value }
        }
    }

    package func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    /// Puts our decoder in place of NIO's before the first byte is read.
    private static func replaceDecoder(
        of channel: any Channel, _ limits: HTTP1Channel.Configuration.DecoderConfiguration
    ) -> EventLoopFuture<Void> {
        var configuration = NIOHTTPDecoderLimitConfiguration()
        configuration.maxHeaderFieldSize = limits.maxHeaderFieldSize
        configuration.maxHeaderListSize = limits.maxHeaderListSize
        configuration.maxHeaderFieldCount = limits.maxHeaderFieldCount
        do {
            let pipeline = channel.pipeline.syncOperations
            let former = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let decoder = RequestDecoder(limits: configuration)
            try pipeline.addHandlers(
                [ByteToMessageHandler(decoder), ContinueHandler(decoder: decoder)], position: .after(former.handler))
            return pipeline.removeHandler(context: former)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }
}
