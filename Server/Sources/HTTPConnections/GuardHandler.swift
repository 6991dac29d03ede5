import NIOCore
import NIOHTTP1

/// The handler that holds one connection to the limits of its listener, and ends it after its last answer.
///
/// It stands behind the decoder, and so sees each request before any other handler. Its own answers pass only the
/// encoder.
final class GuardHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case open
        /// The current answer is the last one, and its head has been written.
        case lastAnswer
        /// The last answer has been written. Further input and output is dropped.
        case ending
    }

    /// The caller's address, if the connection begins with a header of the PROXY protocol; otherwise nil.
    let told: ProxiedAddress?
    private let shared: ConnectionGuard
    private let place: ConnectionCounts.Place
    private let gate: ByteGate
    private var times: RequestTimes
    private var state = State.open
    /// Whether the newest request asks for the end of the connection after its answer.
    private var isLastRequest = false
    /// Whether the answer to the oldest open request has begun.
    private var hasBegunAnswer = false
    private var isInputClosed = false
    /// Why the newest request is refused, while earlier ones wait for their answers; nil otherwise.
    private var postponed: Refusals.Kind?
    private var timer: (task: Scheduled<Void>, at: NIODeadline)?

    init(_ shared: ConnectionGuard, place: ConnectionCounts.Place, gate: ByteGate, told: ProxiedAddress?) {
        self.shared = shared
        self.place = place
        self.gate = gate
        self.told = told
        var limits = shared.limits
        if place.isReserve { limits.headTime = min(limits.headTime, limits.reserveHeadTime) }
        times = RequestTimes(limits, at: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        gate.onBytes = { [self] in
            times.noteBytes(at: .now())
            arm(context)
        }
        arm(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { disarm() }

    func channelInactive(context: ChannelHandlerContext) {
        disarm()
        context.fireChannelInactive()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A request after the last one gets no answer, so it must not be carried out.
        guard state == .open, postponed == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            times.noteHead(at: .now())
            isLastRequest = place.isReserve || !head.isKeepAlive
            if let kind = shared.refusal(of: head, from: context.remoteAddress, on: place) {
                return refuseInTurn(kind, context)
            }
        case .body: break
        case .end: times.noteEnd()
        }
        arm(context)
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            isInputClosed = true
            if state == .ending { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard state == .open, postponed == nil, let fault = error as? HTTPParserError, fault != .invalidEOFState else {
            return context.fireErrorCaught(error)
        }
        // Bytes without a head stand for a request of their own.
        if !times.isReadingBody { times.noteHead(at: .now()) }
        refuseInTurn(.malformed, context)
    }

    /// Counts the connection for the caller that the PROXY protocol names.
    func note(caller: SocketAddress?, _ channel: any Channel) {
        told?.value = caller
        do {
            try shared.counts.move(place, to: caller)
        } catch {
            shared.refusals.note(error.kind)
            channel.close(promise: nil)
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state != .ending else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            hasBegunAnswer = true
            if head.headers.first(name: "Content-Type") == "text/event-stream" { times.noteStream(at: .now()) }
            if endsConnection(head) {
                state = .lastAnswer
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body:
            context.write(data, promise: promise)
        case .end:
            hasBegunAnswer = false
            times.noteAnswer(at: .now())
            // Between two requests a trusted proxy's connection counts for no caller.
            if times.openRequests == 0, shared.countsByRequest(context.remoteAddress) {
                try? shared.counts.move(place, to: nil)
            }
            context.write(data, promise: promise)
            if state == .lastAnswer {
                end(context)
            } else if let postponed, times.openRequests == 1 {
                refuse(postponed, context)
            } else {
                arm(context)
            }
        }
    }

    /// Whether an answer is the last one of the connection.
    ///
    /// It is if the client wants it, if the listener is crowded, or if the rest of its request's body would be read in
    /// vain. It is not while a further request waits.
    private func endsConnection(_ head: HTTPResponseHead) -> Bool {
        guard times.openRequests <= 1 else { return false }
        return times.isReadingBody || isLastRequest || !head.isKeepAlive || shared.counts.isCrowded(place)
    }

    /// Refuses the newest request, after the answers to earlier ones.
    private func refuseInTurn(_ kind: Refusals.Kind, _ context: ChannelHandlerContext) {
        if times.openRequests == 1 { refuse(kind, context) } else { postponed = kind }
    }

    /// Refuses the oldest open request, instead of its real answer.
    private func refuse(_ kind: Refusals.Kind, _ context: ChannelHandlerContext) {
        shared.refusals.note(kind)
        guard !hasBegunAnswer else {
            context.close(promise: nil)
            return
        }
        for part in shared.parts(of: kind) { context.write(wrapOutboundOut(part), promise: nil) }
        end(context)
    }

    /// Sends what is written, drops further input, and closes. A body that breaks off here does not count as complete:
    /// ``WholeRequestHandler`` reports it at the end of the connection.
    private func end(_ context: ChannelHandlerContext) {
        state = .ending
        gate.shut()
        context.flush()
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in linger(context) }
        // A client that does not read its answer is closed like an idle one.
        schedule(at: .now() + shared.limits.idleTime, context) { context.close(promise: nil) }
        context.close(mode: .output, promise: written)
    }

    private func linger(_ context: ChannelHandlerContext) {
        guard context.channel.isActive, !isInputClosed else {
            context.close(promise: nil)
            return
        }
        schedule(at: .now() + shared.limits.lingerTime, context) { context.close(promise: nil) }
    }

    // MARK: Times

    /// Sets the timer, unless it fires early enough.
    private func arm(_ context: ChannelHandlerContext) {
        guard state != .ending, let due = times.due, timer.map({ due.at < $0.at }) ?? true else { return }
        schedule(at: due.at, context) { [self] in look(context) }
    }

    private func look(_ context: ChannelHandlerContext) {
        guard let due = times.due, due.at <= .now() else { return arm(context) }
        switch due.missed {
        case .nextRequest: context.close(promise: nil)
        case .firstByte:
            // No answer: the client has asked nothing, and the TLS handshake may not be complete.
            shared.refusals.note(.headTime)
            context.close(promise: nil)
        case .head: refuse(.headTime, context)
        case .body: refuse(.bodyTime, context)
        case .answer:
            shared.refusals.note(.requestTime)
            context.close(promise: nil)
        }
    }

    private func schedule(at moment: NIODeadline, _ context: ChannelHandlerContext, _ body: @escaping () -> Void) {
        disarm()
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: moment) { [self] in
            timer = nil
            body()
        }
        timer = (task, moment)
    }

    private func disarm() {
        timer?.task.cancel()
        timer = nil
    }
}
