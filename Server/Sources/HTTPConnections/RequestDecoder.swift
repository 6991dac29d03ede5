import NIOCore
import NIOHTTP1

/// The decoder of one connection's requests, including those after an offer of another protocol.
///
/// NIO's decoder stops after a CONNECT and after a request with `Connection: Upgrade`, because the next bytes may
/// belong to another protocol. Java's default client and `curl --http2` make that offer with every request. Eyot
/// accepts no offer (RFC 9110, 7.8), so the next bytes are a request. A new decoder of NIO reads them.
final class RequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    private let limits: NIOHTTPDecoderLimitConfiguration
    private var decoder: HTTPRequestDecoder
    /// Whether the current request offers another protocol.
    private var hasOffer = false
    /// Whether NIO's decoder has stopped.
    private var isStopped = false

    init(limits: NIOHTTPDecoderLimitConfiguration) {
        self.limits = limits
        decoder = HTTPRequestDecoder(limitConfiguration: limits)
    }

    /// Notes a part that this decoder has produced. The next handler calls this, because only it sees the parts.
    func note(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): hasOffer = Self.hasOffer(head)
        case .body: break
        case .end: isStopped = hasOffer
        }
    }

    /// Whether NIO's decoder stops after this request.
    private static func hasOffer(_ head: HTTPRequestHead) -> Bool {
        head.method == .CONNECT
            || head.headers.contains(name: "upgrade")
                && head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
    }

    func decoderAdded(context: ChannelHandlerContext) { decoder.decoderAdded(context: context) }

    func decoderRemoved(context: ChannelHandlerContext) { decoder.decoderRemoved(context: context) }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let state = try decoder.decode(context: context, buffer: &buffer)
        guard isStopped else { return state }
        restart(context)
        return buffer.readableBytes > 0 ? .continue : .needMoreData
    }

    func decodeLast(context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool) throws -> DecodingState {
        while buffer.readableBytes > 0, try decode(context: context, buffer: &buffer) == .continue {}
        return try decoder.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
    }

    private func restart(_ context: ChannelHandlerContext) {
        isStopped = false
        decoder.decoderRemoved(context: context)
        decoder = HTTPRequestDecoder(limitConfiguration: limits)
        decoder.decoderAdded(context: context)
    }
}
