import APNSWire
import EyotContract
import Foundation
import HTTP2Frames
import NIOCore
import NIOTLS

/// The owner of a connection. It is called on the connection's event loop.
protocol SenderConnectionOwner: AnyObject {
    /// SETTINGS arrived, so requests may be written.
    func connectionIsReady(_ connection: SenderConnection)
    /// Apple called this provider token expired. Comes before the verdict, so that what the page's caller does next
    /// finds the token forgotten.
    func providerTokenExpired(_ token: String)
    /// Apple answered a push. `reason` is nil if Apple accepted it.
    func connection(_ connection: SenderConnection, answered reason: APNSReason?)
    /// All received bytes are processed. There may be more room.
    func connectionMayHaveRoom(_ connection: SenderConnection)
    /// The connection accepts no more requests. Those under way may still be answered.
    func connectionIsLeaving(_ connection: SenderConnection)
    /// The connection is closed, and every push on it is settled.
    func connectionClosed(_ connection: SenderConnection)
}

/// One connection to Apple. It writes pushes, maps each stream to its slot, and settles the slot.
///
/// It never sends anything twice (R2). It runs on the channel's event loop. ``HTTP2ClientCore`` implements HTTP/2.
final class SenderConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private struct Push {
        let flight: PageFlight
        let slot: Int
        let token: String
    }

    /// The header block for pushes of one template, page and provider token.
    private struct Stencil {
        let page: Int
        let template: Int
        let token: String
        let bytes: RequestStencil
    }

    weak var owner: (any SenderConnectionOwner)?
    /// Whether SETTINGS arrived.
    var isReady: Bool { core.isReady }
    /// Whether the connection accepts no more requests.
    private(set) var isLeaving = false
    /// Whether the connection is known to be usable: Apple answered something other than 403, or allows more streams
    /// than at the first push. Apple documents that it raises the limit after a valid provider token.
    ///
    /// Until then one push at a time is written. Apple allows no more, and a wrong key costs one error instead of a
    /// thousand. An answer alone is not enough as a sign, because it may be the one that never arrives.
    var isProven: Bool { hasGoodAnswer || core.peerStreamLimit ?? 0 > allowedUnproven ?? .max }
    /// Whether the connection was ever proven. Its key is valid then, and further connections may be opened.
    var wasProven: Bool { isProven || isDoubted }
    private var hasGoodAnswer = false
    private var isDoubted = false
    /// The peer's stream limit at the first push that is to prove the connection. Nil before that push, or if the peer
    /// does not say.
    private var allowedUnproven: Int?
    /// Whether the connection brought enough good answers for the next one to open without a pause. A server that
    /// closes after each push gets a new connection no more often than ``BackOff/first`` allows.
    var hasLived: Bool { goodAnswers >= 10 }
    private var goodAnswers = 0
    /// The error of the connection; nil for none.
    private(set) var error: (any Error)?
    /// The time of the last frame, or of opening the connection.
    private(set) var lastHeard: Date
    /// The reason in the peer's GOAWAY; nil for none.
    private(set) var goAwayReason: APNSReason?
    /// The stream limit of the peer. Nil before SETTINGS, or if they have none.
    var peerStreamLimit: Int? { core.peerStreamLimit }

    private let streamLimit: Int
    private let now: @Sendable () -> Date
    private var context: ChannelHandlerContext?
    private var core = HTTP2ClientCore<Push>(bodyLimit: ErrorBody.maximumLength)
    private var stencil: Stencil?
    /// Whether the unsent bytes are below the limit.
    private var isWritable = true

    init(streamLimit: Int, now: @escaping @Sendable () -> Date) {
        self.streamLimit = streamLimit
        self.now = now
        lastHeard = now()
    }

    var isClosed: Bool { context == nil }

    /// The number of requests that may be written now.
    var room: Int {
        guard !isLeaving, isWritable, context != nil else { return 0 }
        return core.room(of: isProven ? streamLimit : 1)
    }

    // MARK: What the owner does

    /// Writes the next pushes of a page, at most `count` and only while there is room. They leave at the next
    /// ``flush()``.
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

    /// Sends the written bytes in one piece, because each piece becomes TLS records of its own.
    func flush() {
        guard let context, core.hasOutput else { return }
        context.writeAndFlush(Self.wrapOutboundOut(core.takeOutput()), promise: nil)
    }

    /// Whether the connection accepts no push although none is under way.
    var isOfNoUse: Bool { isReady && !isLeaving && core.streams.isEmpty && room == 0 }

    /// Returns to one push at a time until the connection is proven again, so that a dead connection costs one push.
    func doubt() {
        guard core.streams.isEmpty, wasProven else { return }
        (hasGoodAnswer, isDoubted, allowedUnproven) = (false, true, nil)
    }

    /// The number of answers on this connection.
    var answers: Int { core.answers }

    /// Whether the answer to this push is still to come: neither the push nor a newer one was answered or reset. If the
    /// peer is leaving, the last stream that it answers counts instead of an unanswerable push.
    func isAnswerDue(to stream: UInt32) -> Bool {
        context != nil && min(stream, core.lastAnswerable) > core.newestAnswered
    }

    /// Resets the streams of a page that is settled without them, so that they take no room. Returns whether there were
    /// any.
    func abandon(_ flight: PageFlight) -> Bool {
        guard context != nil, core.cancel(where: { $0.flight === flight }) > 0 else { return false }
        flush()
        closeIfDone()
        return true
    }

    /// Accepts no more requests, lets those under way finish, and closes.
    func leave() {
        guard !isLeaving else { return }
        isLeaving = true
        owner?.connectionIsLeaving(self)
        closeIfDone()
    }

    /// Closes at once for the owner. TLS closes by itself.
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

    /// Ends the connection. Pushes under way may have reached Apple, so they are unknown.
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

    /// The error of a peer that speaks TLS and not HTTP/2.
    struct NoHTTP2: Error, CustomStringConvertible {
        var description: String { "the server does not offer HTTP/2" }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The peer may send more while TLS closes.
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

    /// Records whether the peer reads.
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
            owner?.connection(self, answered: nil)
        } else {
            let body = ErrorBody(status: status, bytes: body)
            if body.reason == .expiredProviderToken { owner?.providerTokenExpired(push.token) }
            push.flight.settle(push.slot, .refused(body.reason), deadSince: body.deadSince)
            owner?.connection(self, answered: body.reason)
        }
    }
}
