import APNSWire
import EyotContract
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOTLS

/// Whoever a connection belongs to. Called on the connection's event loop.
protocol SenderConnectionOwner: AnyObject {
    /// SETTINGS came: requests may be written.
    func connectionIsReady(_ connection: SenderConnection)
    /// Apple answered a push; `reason` is nil where it accepted. `token` is the provider token that the push carried.
    func connection(_ connection: SenderConnection, answered reason: APNSReason?, token: String)
    /// Everything that had arrived is dealt with; there may be room for more.
    func connectionMayHaveRoom(_ connection: SenderConnection)
    /// It takes no more requests; those under way may still be answered.
    func connectionIsLeaving(_ connection: SenderConnection)
    /// It is gone, and every push that was on it is settled.
    func connectionClosed(_ connection: SenderConnection)
}

/// One connection to Apple: writes requests as frames, knows which slot each stream belongs to, and settles it.
///
/// It never sends anything twice (R2). All of it runs on the channel's event loop.
final class SenderConnection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private struct Stream {
        let flight: PageFlight
        let slot: Int
        let token: String
        var status = 0
        var body: [UInt8] = []
    }

    /// Received bytes after which the peer's window is filled up again.
    private static let creditStep = 16_384
    /// Ids beyond this are not used; the connection makes place for a new one. HTTP/2 ends at 2^31 - 1.
    private static let lastStreamID = Int(Int32.max) - 1_000

    weak var owner: (any SenderConnectionOwner)?
    /// SETTINGS came.
    private(set) var isReady = false
    /// Takes no more requests.
    private(set) var isLeaving = false
    /// Somebody answered something other than 403 on this connection. Until then one push at a time is written: that is
    /// what Apple allows, and a wrong key costs one error instead of a thousand.
    private(set) var isProven = false
    /// It has been of some use. One that ends sooner counts as a failure, so that a server that closes after each push is
    /// not besieged.
    var hasLived: Bool { goodAnswers >= 10 }
    private var goodAnswers = 0
    /// What went wrong, where something did.
    private(set) var error: (any Error)?
    /// When the last frame came, or when the connection was opened.
    private(set) var lastHeard: Date
    /// Why the peer said GOAWAY, where it said why.
    private(set) var goAwayReason: APNSReason?
    /// What Apple allows. Nil until SETTINGS came, and where they do not say.
    private(set) var peerStreamLimit: Int?

    private let streamLimit: Int
    private let joiner: WriteJoiner
    private let now: @Sendable () -> Date
    private var context: ChannelHandlerContext?
    private var streams: [HTTP2StreamID: Stream] = [:]
    private var nextStreamID = 1
    private var uncredited = 0

    init(streamLimit: Int, joiner: WriteJoiner, now: @escaping @Sendable () -> Date) {
        self.streamLimit = streamLimit
        self.joiner = joiner
        self.now = now
        lastHeard = now()
    }

    var isClosed: Bool { context == nil }

    /// How many requests may be written now.
    var room: Int {
        guard isReady, !isLeaving, context != nil else { return 0 }
        let limit = min(streamLimit, peerStreamLimit ?? streamLimit)
        return max(0, min(limit, isProven ? limit : 1) - streams.count)
    }

    // MARK: What the owner does

    /// Writes one push. Nothing leaves before ``flush()``.
    func send(_ flight: PageFlight, slot: Int, token: String, second: Int) {
        guard let context else { return flight.settle(slot, .notProcessed) }
        let stream = HTTP2StreamID(nextStreamID)
        nextStreamID += 2
        let template = Int(flight.page.templateIndices[slot])
        let headers = flight.templates[template].headers(
            token: token, recipient: flight.page.token(at: slot), id: flight.page.ids[slot])
        let body = flight.templates[template].body(at: second)
        streams[stream] = Stream(flight: flight, slot: slot, token: token)
        let isBare = body.readableBytes == 0
        write(.headers(.init(headers: headers, endStream: isBare)), on: stream, context)
        if !isBare { write(.data(.init(data: .byteBuffer(body), endStream: true)), on: stream, context) }
        joiner.hold()
        context.flush()
        if nextStreamID > Self.lastStreamID { leave() }
    }

    func flush() {
        context?.flush()
        joiner.release()
    }

    /// Goes back to one push at a time until the next answer, so that a connection that is dead costs one push.
    func doubt() {
        if streams.isEmpty { isProven = false }
    }

    /// Resets the streams of a page that is settled without them, so that they take no room. Says whether there were any.
    func giveUp(_ flight: PageFlight) -> Bool {
        let given = streams.filter { $0.value.flight === flight }.keys
        guard let context, !given.isEmpty else { return false }
        for stream in given {
            streams[stream] = nil
            write(.rstStream(.cancel), on: stream, context)
        }
        context.flush()
        closeIfDone()
        return true
    }

    /// Takes no more requests, lets those under way finish, and closes.
    func leave() {
        guard !isLeaving else { return }
        isLeaving = true
        owner?.connectionIsLeaving(self)
        closeIfDone()
    }

    /// Closes at once, as far as the owner is concerned; TLS says its goodbyes on its own.
    func close() {
        let context = context
        end()
        context?.close(promise: nil)
    }

    private func closeIfDone() {
        if isLeaving, streams.isEmpty { close() }
    }

    // MARK: What the peer does

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    /// Whatever was under way may have reached Apple.
    private func end() {
        guard context != nil else { return }
        context = nil
        let lost = streams
        streams = [:]
        for stream in lost.values { stream.flight.settle(stream.slot, .unknown) }
        leave()
        owner?.connectionClosed(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A frame for a stream that we have given up is everyday.
        if error is NIOHTTP2Errors.NoSuchStream || error is NIOHTTP2Errors.StreamClosed { return }
        if self.error == nil { self.error = error }
        close()
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? TLSUserEvent, case .handshakeCompleted(let negotiated) = event, negotiated != "h2" {
            error = NoHTTP2()
            close()
        } else if let closed = event as? StreamClosedEvent, let code = closed.reason {
            settle(closed.streamID, code)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// The peer speaks TLS, but not HTTP/2.
    struct NoHTTP2: Error, CustomStringConvertible {
        var description: String { "the server does not offer HTTP/2" }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        lastHeard = now()
        switch frame.payload {
        case .headers(let headers): receive(headers, on: frame.streamID)
        case .data(let data): receive(data, on: frame.streamID, context)
        case .rstStream(let code): settle(frame.streamID, code)
        case .settings(.settings(let settings)): receive(settings)
        case .goAway(let last, _, let words): receiveGoAway(last, words)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        owner?.connectionMayHaveRoom(self)
        context.flush()
        closeIfDone()
        context.fireChannelReadComplete()
    }

    private func receive(_ settings: HTTP2Settings) {
        for setting in settings where setting.parameter == .maxConcurrentStreams { peerStreamLimit = setting.value }
        guard !isReady else { return }
        isReady = true
        owner?.connectionIsReady(self)
    }

    private func receive(_ headers: HTTP2Frame.FramePayload.Headers, on id: HTTP2StreamID) {
        guard var stream = streams[id] else { return }
        // Trailers have no status.
        if let status = headers.headers.first(name: ":status").flatMap({ Int($0) }) { stream.status = status }
        streams[id] = stream
        if headers.endStream { answer(id) }
    }

    private func receive(_ data: HTTP2Frame.FramePayload.Data, on id: HTTP2StreamID, _ context: ChannelHandlerContext) {
        guard case .byteBuffer(let bytes) = data.data else { return }
        uncredited += bytes.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0)
        if uncredited >= Self.creditStep {
            write(.windowUpdate(windowSizeIncrement: uncredited), on: .rootStream, context)
            uncredited = 0
        }
        guard streams[id] != nil else { return }
        streams[id]?.body.append(contentsOf: bytes.readableBytesView.prefix(ErrorBody.maximumLength))
        if data.endStream {
            answer(id)
        } else if let length = streams[id]?.body.count, length > ErrorBody.maximumLength {
            // Nobody at Apple writes so much; the status has said enough.
            answer(id)
            write(.rstStream(.cancel), on: id, context)
        }
    }

    /// A response is complete.
    private func answer(_ id: HTTP2StreamID) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        if stream.status != 403 { isProven = true }
        if stream.status == 200 {
            goodAnswers += 1
            stream.flight.settle(stream.slot, .accepted)
            owner?.connection(self, answered: nil, token: stream.token)
        } else {
            let body = ErrorBody(status: stream.status, bytes: stream.body)
            stream.flight.settle(stream.slot, .refused(body.reason), deadSince: body.deadSince)
            owner?.connection(self, answered: body.reason, token: stream.token)
        }
    }

    /// The stream was reset, by the peer or by what NIO found wrong. Only REFUSED_STREAM promises that nothing was done.
    private func settle(_ id: HTTP2StreamID, _ code: HTTP2ErrorCode) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        stream.flight.settle(stream.slot, code == .refusedStream ? .notProcessed : .unknown)
    }

    /// Streams above the last id were not processed; those up to it will still be answered.
    private func receiveGoAway(_ last: HTTP2StreamID, _ words: ByteBuffer?) {
        for (id, stream) in streams where id > last {
            streams[id] = nil
            stream.flight.settle(stream.slot, .notProcessed)
        }
        if let words { goAwayReason = ErrorBody(status: 0, bytes: Array(words.readableBytesView)).reason }
        leave()
    }

    private func write(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        context.write(Self.wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
    }
}
