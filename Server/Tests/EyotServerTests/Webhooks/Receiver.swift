import EyotContract
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server of others on this machine, such as a receiver of webhooks, that behaves as a test wants.
final class Receiver: Sendable {
    /// A message as it came.
    struct Message: Sendable {
        var path: String
        var headers: [String: String]
        var body: [UInt8]

        var id: String { headers["webhook-id"] ?? "" }
        var json: JSONValue? { try? JSONValue(parsing: body) }
        var data: JSONObject? { json?.object?["data"]?.object }
        /// The number of the event.
        var event: String? { data?["id"]?.string }
    }

    enum Reaction: Sendable {
        case status(Int, location: String? = nil)
        /// Never answers.
        case hang
        /// Closes the connection without an answer.
        case close
        /// Answers, and sends a body that does not end.
        case drip
        /// Answers with a body.
        case text(String)
        /// Answers, and sends a body without an end as fast as the connection takes it.
        case flood
        /// Answers, and sends a byte of the body now and then, without an end.
        case trickle
        /// Sends answers that only say to wait, without an end.
        case slowHead
    }

    /// Reacts to each message in the same way.
    static func always(_ reaction: Reaction) -> @Sendable (Message, Int) -> Reaction { { _, _ in reaction } }

    private struct State {
        var messages: [Message] = []
        var open = 0
        var mostOpen = 0
        var sent = 0
        var closed = 0
        var react: @Sendable (Message, _ count: Int) -> Reaction
    }

    private let state: Mutex<State>
    private let channel: any Channel

    /// Runs a receiver on a port that the system chooses.
    ///
    /// - Parameter react: Gets the message and how many came before.
    static func run(
        _ react: @escaping @Sendable (Message, Int) -> Reaction = { _, _ in .status(204) },
        _ body: (Receiver) async throws -> Void
    ) async throws {
        let box = Box()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(box))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let receiver = Receiver(channel, react)
        box.receiver.withLock { $0 = receiver }
        do {
            try await body(receiver)
        } catch {
            try await receiver.channel.close()
            throw error
        }
        try await channel.close()
    }

    private init(_ channel: any Channel, _ react: @escaping @Sendable (Message, Int) -> Reaction) {
        self.channel = channel
        state = Mutex(State(react: react))
    }

    var port: Int { channel.localAddress?.port ?? 0 }
    var url: String { "http://127.0.0.1:\(port)/hook" }
    var messages: [Message] { state.withLock(\.messages) }
    /// The most messages that were answered at the same time.
    var mostOpen: Int { state.withLock(\.mostOpen) }

    /// Bytes of floods that connections took.
    var sent: Int { state.withLock(\.sent) }
    /// How many connections were closed.
    var closed: Int { state.withLock(\.closed) }

    /// Waits until a number of connections were closed.
    func untilClosed(_ count: Int) async throws {
        while closed < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    fileprivate func noteSent(_ bytes: Int) { state.withLock { $0.sent += bytes } }
    fileprivate func noteClosed() { state.withLock { $0.closed += 1 } }

    /// Changes how it behaves.
    func react(_ react: @escaping @Sendable (Message, Int) -> Reaction) { state.withLock { $0.react = react } }

    /// Waits until a number of messages came.
    func until(_ count: Int) async throws {
        while messages.count < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    fileprivate func take(_ message: Message) -> Reaction {
        state.withLock { state in
            state.messages.append(message)
            state.open += 1
            state.mostOpen = max(state.mostOpen, state.open)
            return state.react(message, state.messages.count - 1)
        }
    }

    fileprivate func end() { state.withLock { $0.open -= 1 } }

    /// Holds the receiver, which needs the channel first.
    fileprivate final class Box: Sendable {
        let receiver = Mutex<Receiver?>(nil)
    }
}

/// The connection of one sender.
private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let box: Receiver.Box
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ box: Receiver.Box) { self.box = box }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let part): body += Array(part.readableBytesView)
        case .end:
            guard let head, let receiver = box.receiver.withLock({ $0 }) else { return context.close(promise: nil) }
            let headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
            let reaction = receiver.take(.init(path: head.uri, headers: headers, body: body))
            perform(reaction, receiver, context)
        }
    }

    private func perform(_ reaction: Receiver.Reaction, _ receiver: Receiver, _ context: ChannelHandlerContext) {
        switch reaction {
        case .hang: return
        case .close: context.close(promise: nil)
        case .status(let code, let location):
            var headers = HTTPHeaders([("content-length", "0")])
            if let location { headers.add(name: "location", value: location) }
            write(.init(version: .http1_1, status: .init(statusCode: code), headers: headers), context)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        case .text(let text):
            let headers = HTTPHeaders([("content-length", "\(text.utf8.count)")])
            write(.init(version: .http1_1, status: .ok, headers: headers), context)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        case .flood:
            write(.init(version: .http1_1, status: .ok, headers: ["transfer-encoding": "chunked"]), context)
            flood(receiver, context)
        case .trickle:
            write(.init(version: .http1_1, status: .ok, headers: ["transfer-encoding": "chunked"]), context)
            repeatedly(context) { [self] in
                context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "x")))), promise: nil)
            }
        case .slowHead:
            // Informational answers, of which there may be many before the real one.
            repeatedly(context) { [self] in
                write(.init(version: .http1_1, status: .processing), context)
                context.flush()
            }
        case .drip:
            write(.init(version: .http1_1, status: .ok, headers: ["content-length": "1000000"]), context)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "slow")))), promise: nil)
        }
        receiver.end()
    }

    /// Writes on as soon as the connection has taken what came before.
    private func flood(_ receiver: Receiver, _ context: ChannelHandlerContext) {
        let part = ByteBuffer(repeating: UInt8(ascii: "x"), count: 65_536)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(part)))).assumeIsolated().whenSuccess { [self] in
            receiver.noteSent(part.readableBytes)
            flood(receiver, context)
        }
    }

    private func repeatedly(_ context: ChannelHandlerContext, _ body: @escaping () -> Void) {
        body()
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(20)) { [self] in
            if context.channel.isActive { repeatedly(context, body) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        box.receiver.withLock { $0 }?.noteClosed()
        context.fireChannelInactive()
    }

    private func write(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
