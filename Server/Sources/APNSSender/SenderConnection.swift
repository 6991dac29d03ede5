import APNSWire
import EyotContract
import Foundation
import HTTP2Frames
import NIOCore
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

/// One connection to Apple: writes pushes, knows which slot each stream belongs to, and settles it.
///
/// It never sends anything twice (R2). All of it runs on the channel's event loop. What HTTP/2 is, ``HTTP2ClientCore`` knows.
final class SenderConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private struct Push {
        let flight: PageFlight
        let slot: Int
        let token: String
    }

    /// The header block of pushes of one template, page and provider token.
    private struct Stencil {
        let page: Int
        let template: Int
        let token: String
        let bytes: RequestStencil
    }

    weak var owner: (any SenderConnectionOwner)?
    /// SETTINGS came.
    var isReady: Bool { core.isReady }
    /// Takes no more requests.
    private(set) var isLeaving = false
    /// Somebody answered something other than 403 on this connection, or allows more streams since the first push, which Apple does where it
    /// has seen a valid provider token (documented). Until then one push at a time is written: that is what Apple allows, and a wrong key
    /// costs one error instead of a thousand. The answer alone would not do: it may be the one that does not come.
    var isProven: Bool { hasGoodAnswer || core.peerStreamLimit ?? 0 > allowedUnproven ?? .max }
    /// It was proven once, whatever is thought of it now: its key is good, and there may be further connections.
    var wasProven: Bool { isProven || isDoubted }
    private var hasGoodAnswer = false
    private var isDoubted = false
    /// How many streams the peer allowed at the first push of which it depends whether the connection is proven; nil before that, and
    /// where it has not said.
    private var allowedUnproven: Int?
    /// Whether the connection has brought enough good answers that the next one may be opened without a pause. A server that
    /// closes after each push gets a new connection no more often than ``BackOff/first`` allows.
    var hasLived: Bool { goodAnswers >= 10 }
    private var goodAnswers = 0
    /// What went wrong, where something did.
    private(set) var error: (any Error)?
    /// When the last frame came, or when the connection was opened.
    private(set) var lastHeard: Date
    /// Why the peer said GOAWAY, where it said why.
    private(set) var goAwayReason: APNSReason?
    /// What Apple allows. Nil until SETTINGS came, and where they do not say.
    var peerStreamLimit: Int? { core.peerStreamLimit }

    private let streamLimit: Int
    private let now: @Sendable () -> Date
    private var context: ChannelHandlerContext?
    private var core = HTTP2ClientCore<Push>(bodyLimit: ErrorBody.maximumLength)
    private var stencil: Stencil?
    /// Less waits for the peer to read it than there may.
    private var isWritable = true

    init(streamLimit: Int, now: @escaping @Sendable () -> Date) {
        self.streamLimit = streamLimit
        self.now = now
        lastHeard = now()
    }

    var isClosed: Bool { context == nil }

    /// How many requests may be written now.
    var room: Int {
        guard !isLeaving, isWritable, context != nil else { return 0 }
        return core.room(of: isProven ? streamLimit : 1)
    }

    // MARK: What the owner does

    /// Writes the next pushes of a page, so many and as far as there is room. Nothing leaves before ``flush()``.
    func send(_ flight: PageFlight, atMost count: Int, token: String, second: Int) {
        var left = count
        if !isProven, core.streams.isEmpty { allowedUnproven = core.peerStreamLimit }
        while left > 0, room > 0, let slot = flight.takeSlot(stampedWith: second) {
            left -= 1
            let template = Int(flight.page.templateIndices[slot])
            let id = flight.page.ids[slot]
            core.open(
                Push(flight: flight, slot: slot, token: token), stencil(of: template, in: flight, token),
                recipient: flight.page.token(at: slot), id: (id.high, id.low),
                body: flight.templates[template].body(at: second))
        }
        if left < count { flight.noteCarrier(self, newest: core.newestStream) }
        if core.isUsedUp { leave() }
    }

    private func stencil(of template: Int, in flight: PageFlight, _ token: String) -> RequestStencil {
        if let stencil, stencil.template == template, stencil.page == flight.number, stencil.token == token,
            stencil.bytes.holds(for: core.table)
        {
            return stencil.bytes
        }
        let bytes = flight.templates[template].stencil(token: token, for: &core.table)
        stencil = Stencil(page: flight.number, template: template, token: token, bytes: bytes)
        return bytes
    }

    /// Lets go what was written, in one piece: each piece becomes TLS records of its own.
    func flush() {
        guard let context, core.hasOutput else { return }
        context.writeAndFlush(Self.wrapOutboundOut(core.takeOutput()), promise: nil)
    }

    /// It takes no push though none is under way.
    var isOfNoUse: Bool { isReady && !isLeaving && core.streams.isEmpty && room == 0 }

    /// Goes back to one push at a time until it is proven again, so that a connection that is dead costs one push.
    func doubt() {
        guard core.streams.isEmpty, wasProven else { return }
        (hasGoodAnswer, isDoubted, allowedUnproven) = (false, true, nil)
    }

    /// How many answers came over it.
    var answers: Int { core.answers }

    /// Whether the turn of this push has not come: no newer one was answered or reset, nor itself. Of one that will not be answered, since
    /// the peer is leaving, whether the last one that will be was not.
    func isAnswerDue(to stream: UInt32) -> Bool {
        context != nil && min(stream, core.lastAnswerable) > core.newestAnswered
    }

    /// Resets the streams of a page that is settled without them, so that they take no room. Says whether there were any.
    func giveUp(_ flight: PageFlight) -> Bool {
        guard context != nil, core.cancel(where: { $0.flight === flight }) > 0 else { return false }
        flush()
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
        if isLeaving, core.streams.isEmpty { close() }
    }

    // MARK: What the peer does

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { flush() }
    }

    func channelActive(context: ChannelHandlerContext) {
        flush()
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    /// Whatever was under way may have reached Apple.
    private func end() {
        guard context != nil else { return }
        context = nil
        for lost in core.abandonAll() { lost.flight.settle(lost.slot, .unknown) }
        leave()
        owner?.connectionClosed(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if self.error == nil { self.error = error }
        close()
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? TLSUserEvent, case .handshakeCompleted(let negotiated) = event, negotiated != "h2" {
            error = NoHTTP2()
            close()
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// The peer speaks TLS, but not HTTP/2.
    struct NoHTTP2: Error, CustomStringConvertible {
        var description: String { "the server does not offer HTTP/2" }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // While TLS says goodbye the peer may go on talking.
        guard self.context != nil else { return }
        lastHeard = now()
        core.feed(Self.unwrapInboundIn(data))
        do {
            while self.context != nil, let event = try core.next() { receive(event) }
        } catch {
            self.error = self.error ?? error
            core.sayGoodbye(error.code)
            flush()
            close()
        }
    }

    /// The peer reads again, or does not for the moment.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        if isWritable {
            owner?.connectionMayHaveRoom(self)
            flush()
        }
        context.fireChannelWritabilityChanged()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        owner?.connectionMayHaveRoom(self)
        flush()
        closeIfDone()
        context.fireChannelReadComplete()
    }

    private func receive(_ event: HTTP2ClientCore<Push>.Event) {
        switch event {
        case .ready: owner?.connectionIsReady(self)
        case .answered(let push, let status, let body): answered(push, status, body)
        case .reset(let push, let code):
            push.flight.settle(push.slot, code == .refusedStream ? .notProcessed : .unknown)
        case .leaving(let unprocessed, let words):
            for push in unprocessed { push.flight.settle(push.slot, .notProcessed) }
            if !words.isEmpty { goAwayReason = ErrorBody(status: 0, bytes: words).reason }
            leave()
        }
    }

    private func answered(_ push: Push, _ status: Int, _ body: [UInt8]) {
        if status != 403 { hasGoodAnswer = true }
        if status == 200 {
            goodAnswers += 1
            push.flight.settle(push.slot, .accepted)
            owner?.connection(self, answered: nil, token: push.token)
        } else {
            let body = ErrorBody(status: status, bytes: body)
            push.flight.settle(push.slot, .refused(body.reason), deadSince: body.deadSince)
            owner?.connection(self, answered: body.reason, token: push.token)
        }
    }
}
