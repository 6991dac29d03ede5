import APNSWire
import EyotContract
import HTTP2Frames
import NIOCore

/// One connection of a client. It passes requests to ``SimulatorCore`` and carries out the replies.
///
/// ``HTTP2ServerCore`` implements HTTP/2. All of this runs on the channel's event loop.
final class SimulatorConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let core: SimulatorCore
    private let endpoint: APNSEndpoint
    private let number: Int
    private var state = APNSConnectionState()
    private var http2: HTTP2ServerCore
    /// GOAWAY was sent: the connection closes after all requests are answered.
    private var isLeaving = false
    /// The connection is closing, whatever arrives during TLS's own closing messages.
    private var isOver = false
    private let streamLimit: Int
    private var mayOpenManyStreams: Bool
    /// Late answers, by their streams.
    private var waits: [UInt32: Task<Void, any Error>] = [:]
    /// The timer that closes a connection if its client does not begin to speak HTTP/2.
    private var deadline: Scheduled<Void>?

    init(core: SimulatorCore, endpoint: APNSEndpoint, number: Int) {
        self.core = core
        self.endpoint = endpoint
        self.number = number
        mayOpenManyStreams = !core.configuration.rules.oneStreamUntilValidToken
        streamLimit = min(max(1, core.configuration.limits.concurrentStreams), 1 << 16)
        // Room for the largest payload on every stream at once, so that no client waits for the connection's window.
        // The width of Apple's window is not known.
        http2 = HTTP2ServerCore(
            HTTP2ServerCore.Limits(
                streams: mayOpenManyStreams ? streamLimit : 1, keptBody: APNSLimits.broadcastPayloadBytes + 1,
                longestBody: 4 * APNSLimits.broadcastPayloadBytes,
                window: streamLimit * APNSLimits.broadcastPayloadBytes))
    }

    // MARK: Client events

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(core.configuration.limits.handshake)) {
            channel.close(mode: .all, promise: nil)
        }
        if channel.isActive { flush(context: context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        for wait in waits.values { wait.cancel() }
        waits = [:]
    }

    func channelActive(context: ChannelHandlerContext) {
        flush(context: context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        http2.feed(Self.unwrapInboundIn(data))
        do {
            while !isOver, let request = try http2.next() { receive(request, context: context) }
        } catch {
            fail(error, context: context)
        }
        if http2.isReady, let deadline {
            deadline.cancel()
            self.deadline = nil
        }
    }

    private func fail(_ violation: HTTP2Violation, context: ChannelHandlerContext) {
        core.configuration.logger.debug("A connection failed", metadata: ["error": "\(violation)"])
        http2.sayGoodbye(violation.code, words: violation.words)
        close(context: context)
    }

    /// Closes the connection after the earlier answers are sent.
    private func close(context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        write(context: context)
        context.close(promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush(context: context)
        context.fireChannelReadComplete()
    }

    /// Stops reading while the client does not read its answers.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        // Only a closed channel lacks this option.
        try? context.channel.syncOptions?.setOption(.autoRead, value: context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            leave(after: nil, .idleTimeout)
            close(context: context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        core.configuration.logger.debug("A connection failed", metadata: ["error": "\(error)"])
        close(context: context)
    }

    private func receive(_ received: HTTP2ServerCore.Request, context: ChannelHandlerContext) {
        let request = APNSRequest(headers: received.headers, body: received.body, bodyLength: received.bodyLength)
        let reply = core.decide(request, at: endpoint, connection: number, &state)
        perform(reply, on: received.stream, context: context)
        guard !mayOpenManyStreams, state.hasShownValidToken, !isOver else { return }
        mayOpenManyStreams = true
        http2.allow(streams: streamLimit)
    }

    // MARK: Replies

    private func perform(_ reply: SimulatorCore.Reply, on stream: UInt32, context: ChannelHandlerContext) {
        switch reply {
        case .answer(let answer): send(answer, on: stream, context: context)
        case .answerLate(let answer, let delay): send(answer, on: stream, after: delay, context: context)
        case .silence: break
        case .reset(let reset): http2.reset(stream, reset.code)
        case .close: close(context: context)
        case .goAway(let answer, let reason):
            if let answer { send(answer, on: stream, context: context) }
            leave(after: answer == nil ? (stream > 1 ? stream - 2 : 0) : nil, reason)
        }
    }

    private func send(_ answer: APNSAnswer, on stream: UInt32, context: ChannelHandlerContext) {
        let isCutOff = http2.answer(stream, status: answer.status, fields: answer.fields, body: answer.body)
        guard isCutOff else { return }
        write(context: context)  // alone, so that it is read before the reset
        http2.reset(stream, .noError)
    }

    /// The wait may end after the stream or the connection has; then nothing is left to do.
    private func send(
        _ answer: APNSAnswer, on stream: UInt32, after delay: Duration, context: ChannelHandlerContext
    ) {
        let clock = core.configuration.clock
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        waits[stream] = Task {
            try await clock.sleep(for: delay)
            eventLoop.execute {
                let (handler, context) = bound.value
                handler.waits[stream] = nil
                handler.send(answer, on: stream, context: context)
                handler.flush(context: context)
            }
        }
    }

    /// Answers the requests that the connection has accepted, and then closes it.
    private func leave(after last: UInt32?, _ reason: APNSReason?) {
        isLeaving = true
        http2.sayGoodbye(last: last, .noError, words: reason.map { #"{"reason":"\#($0.name)"}"# } ?? "")
    }

    private func flush(context: ChannelHandlerContext) {
        guard !isOver else { return }
        write(context: context)
        if isLeaving, http2.isIdle { close(context: context) }
    }

    /// Sends all output in one piece. Each piece becomes TLS records of its own, and each record costs a tag to make
    /// and to check.
    private func write(context: ChannelHandlerContext) {
        guard http2.hasOutput else { return }
        context.writeAndFlush(Self.wrapOutboundOut(http2.takeOutput()), promise: nil)
    }
}

extension PushFault.StreamReset {
    fileprivate var code: HTTP2Code {
        switch self {
        case .refusedStream: .refusedStream
        case .internalError: .internalError
        case .cancel: .cancel
        }
    }
}
