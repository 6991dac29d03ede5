import APNSWire
import EyotContract
import NIOCore
import NIOHPACK
import NIOHTTP2

/// One connection of a client: collects requests, asks ``SimulatorCore`` what to do, does it.
///
/// It speaks frames, not streams: a channel for each stream would cost several times as much, and GOAWAY and RST_STREAM
/// could not be said as freely. All of it runs on the channel's event loop.
final class SimulatorConnection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// A request whose end has not come.
    private struct OpenRequest {
        var headers: HPACKHeaders
        var body: [UInt8] = []
        var bodyLength = 0
    }

    /// A body this long is cut off: answered, and its stream reset.
    private static let bodyCutOff = 4 * APNSLimits.broadcastPayloadBytes
    /// Received bytes after which the peer's connection window is filled up again.
    private static let creditStep = 16_384

    private let core: SimulatorCore
    private let endpoint: APNSEndpoint
    private let number: Int
    private var state = APNSConnectionState()
    private var open: [HTTP2StreamID: OpenRequest] = [:]
    /// Streams whose request is complete and that have no answer yet. Only faults leave streams here.
    private var unanswered: Set<HTTP2StreamID> = []
    private var uncredited = 0
    private var lastStream = HTTP2StreamID.rootStream
    private var isLeaving = false
    private var mayOpenManyStreams: Bool
    private var hasWidenedWindow = false

    init(core: SimulatorCore, endpoint: APNSEndpoint, number: Int) {
        self.core = core
        self.endpoint = endpoint
        self.number = number
        mayOpenManyStreams = !core.configuration.rules.oneStreamUntilValidToken
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        widenWindow(context: context)
        switch frame.payload {
        case .headers(let headers):
            // Headers on an open stream are trailers. Nobody needs them; they may end the request.
            if open[frame.streamID] == nil { begin(frame.streamID, headers.headers) }
            if headers.endStream { finish(frame.streamID, context: context) }
        case .data(let data):
            receive(data, on: frame.streamID, context: context)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        closeIfDone(context: context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let closed = event as? StreamClosedEvent {
            open[closed.streamID] = nil
            unanswered.remove(closed.streamID)
        } else if event is IdleStateHandler.IdleStateEvent {
            sayGoAway(lastStream: lastStream, .idleTimeout, context: context)
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A frame for a stream that is gone is everyday; for all else NIOHTTP2 has told the peer and has given up.
        if error is NIOHTTP2Errors.NoSuchStream || error is NIOHTTP2Errors.StreamClosed { return }
        core.configuration.logger.debug("A connection failed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    // MARK: Requests

    private func begin(_ stream: HTTP2StreamID, _ headers: HPACKHeaders) {
        lastStream = max(lastStream, stream)
        open[stream] = OpenRequest(headers: headers)
    }

    private func receive(_ data: HTTP2Frame.FramePayload.Data, on stream: HTTP2StreamID, context: ChannelHandlerContext)
    {
        guard case .byteBuffer(var bytes) = data.data else { return }
        credit(bytes.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0), context: context)
        guard var request = open[stream] else { return }
        open[stream] = nil  // so that the body is not copied
        request.bodyLength += bytes.readableBytes
        let room = APNSLimits.broadcastPayloadBytes + 1 - request.body.count
        if let kept = bytes.readBytes(length: min(room, bytes.readableBytes)) {
            if request.body.isEmpty { request.body = kept } else { request.body += kept }
        }
        open[stream] = request
        if data.endStream {
            finish(stream, context: context)
        } else if request.bodyLength > Self.bodyCutOff {
            finish(stream, context: context)
            context.flush()  // a reset would drop the answer's body where it still waits
            send(.rstStream(.noError), on: stream, context: context)
        }
    }

    /// Makes room for the largest payload on every stream at once, so that no client waits for the connection's window. How
    /// wide Apple's is, is not known.
    private func widenWindow(context: ChannelHandlerContext) {
        guard !hasWidenedWindow else { return }
        hasWidenedWindow = true
        let width = core.configuration.limits.concurrentStreams * APNSLimits.broadcastPayloadBytes
        send(.windowUpdate(windowSizeIncrement: min(width, 1 << 30)), on: .rootStream, context: context)
    }

    /// Gives back the window that received bytes took. Streams get none: the initial window holds more than any body.
    private func credit(_ bytes: Int, context: ChannelHandlerContext) {
        uncredited += bytes
        guard uncredited >= Self.creditStep else { return }
        send(.windowUpdate(windowSizeIncrement: uncredited), on: .rootStream, context: context)
        uncredited = 0
    }

    private func finish(_ stream: HTTP2StreamID, context: ChannelHandlerContext) {
        guard let open = open.removeValue(forKey: stream) else { return }
        let request = APNSRequest(headers: open.headers, body: open.body, bodyLength: open.bodyLength)
        let reply = core.decide(request, at: endpoint, connection: number, &state)
        if !mayOpenManyStreams, state.hasShownValidToken {
            mayOpenManyStreams = true
            let limit = HTTP2Setting(
                parameter: .maxConcurrentStreams, value: core.configuration.limits.concurrentStreams)
            send(.settings(.settings([limit])), on: .rootStream, context: context)
        }
        unanswered.insert(stream)
        perform(reply, on: stream, context: context)
    }

    // MARK: Replies

    private func perform(_ reply: SimulatorCore.Reply, on stream: HTTP2StreamID, context: ChannelHandlerContext) {
        switch reply {
        case .answer(let answer): send(answer, on: stream, context: context)
        case .answerLate(let answer, let delay): send(answer, on: stream, after: delay, context: context)
        case .silence: break
        case .reset(let reset): send(.rstStream(reset.code), on: stream, context: context)
        case .close: context.close(promise: nil)
        case .goAway(let answer, let reason):
            if let answer { send(answer, on: stream, context: context) }
            let before = Int(stream) > 1 ? HTTP2StreamID(Int(stream) - 2) : .rootStream
            sayGoAway(lastStream: answer == nil ? before : lastStream, reason, context: context)
        }
    }

    private func send(_ answer: APNSAnswer, on stream: HTTP2StreamID, context: ChannelHandlerContext) {
        guard unanswered.remove(stream) != nil else { return }
        let body = answer.body
        send(.headers(.init(headers: answer.headers, endStream: body.isEmpty)), on: stream, context: context)
        guard !body.isEmpty else { return }
        let buffer = context.channel.allocator.buffer(bytes: body)
        send(.data(.init(data: .byteBuffer(buffer), endStream: true)), on: stream, context: context)
    }

    /// The wait may end after the stream or the connection has; then nothing is left to do.
    private func send(
        _ answer: APNSAnswer, on stream: HTTP2StreamID, after delay: Duration, context: ChannelHandlerContext
    ) {
        let clock = core.configuration.clock
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let wait = Task {
            try await clock.sleep(for: delay)
            eventLoop.execute {
                let (handler, context) = bound.value
                handler.send(answer, on: stream, context: context)
                context.flush()
                handler.closeIfDone(context: context)
            }
        }
        context.channel.closeFuture.whenComplete { _ in wait.cancel() }
    }

    private func sayGoAway(lastStream: HTTP2StreamID, _ reason: APNSReason?, context: ChannelHandlerContext) {
        isLeaving = true
        let words = reason.map { context.channel.allocator.buffer(string: #"{"reason":"\#($0.name)"}"#) }
        let frame = HTTP2Frame.FramePayload.goAway(
            lastStreamID: lastStream, errorCode: .noError, opaqueData: words)
        send(frame, on: .rootStream, context: context)
        context.flush()
    }

    private func closeIfDone(context: ChannelHandlerContext) {
        if isLeaving, open.isEmpty, unanswered.isEmpty { context.close(promise: nil) }
    }

    private func send(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID, context: ChannelHandlerContext) {
        context.write(Self.wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
    }
}

extension PushFault.StreamReset {
    fileprivate var code: HTTP2ErrorCode {
        switch self {
        case .refusedStream: .refusedStream
        case .internalError: .internalError
        case .cancel: .cancel
        }
    }
}
