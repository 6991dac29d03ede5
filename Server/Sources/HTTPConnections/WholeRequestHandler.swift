import NIOCore
import NIOHTTP1

/// The handler that reports a request that ends before its body does.
///
/// Behind it the end of the input and the end of a body look alike. A part of a body would be taken for the whole, if
/// the decoder has failed already and so does not fail at the end of the input.
final class WholeRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Whether the newest request has a head and has not ended.
    private var isReadingBody = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: isReadingBody = true
        case .body: break
        case .end: isReadingBody = false
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { reportBreak(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        reportBreak(context)
        context.fireChannelInactive()
    }

    private func reportBreak(_ context: ChannelHandlerContext) {
        guard isReadingBody else { return }
        isReadingBody = false
        context.fireErrorCaught(HTTPParserError.invalidEOFState)
    }
}
