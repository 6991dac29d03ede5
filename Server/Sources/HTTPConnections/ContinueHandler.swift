import NIOCore
import NIOHTTP1

/// The handler that answers `Expect: 100-continue`, so that a client sends the body at once instead of after a pause
/// (RFC 9110, 10.1.1).
///
/// The answer waits until earlier requests of the connection are answered. It is left out if the body has begun.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let decoder: RequestDecoder
    /// Requests with an incomplete answer.
    private var openRequests = 0
    /// Whether the newest request expects the answer and its body has not begun.
    private var isExpected = false

    init(decoder: RequestDecoder) { self.decoder = decoder }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        decoder.note(part)
        switch part {
        case .head(let head):
            openRequests += 1
            isExpected =
                head.version == .http1_1
                && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
        case .body, .end:
            isExpected = false
        }
        context.fireChannelRead(data)
        answer(context)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        // With a final answer to the newest request the body is not needed.
        if case .head = part, openRequests == 1 { isExpected = false }
        context.write(data, promise: promise)
        guard case .end = part else { return }
        openRequests -= 1
        answer(context)
    }

    private func answer(_ context: ChannelHandlerContext) {
        guard isExpected, openRequests == 1 else { return }
        isExpected = false
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }
}
