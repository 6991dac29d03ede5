import APNSSimulator
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// An HTTP/2 client that says exactly what it is told to. It shares no code with the sender.
final class RawClient: Sendable {
    struct Response: Sendable, Equatable {
        var status = 0
        var headers: [String: String] = [:]
        var body: [UInt8] = []

        var text: String { String(decoding: body, as: UTF8.self) }
        var reason: String? {
            text.split(separator: #""reason":""#).last.flatMap { $0.split(separator: "\"").first }.map(String.init)
        }
    }

    enum Failure: Error, Equatable {
        case reset(HTTP2ErrorCode)
        case goAway(lastStream: Int, words: String)
        case closed
    }

    private let channel: any Channel
    private let handler: NIOLoopBound<RawClientHandler>

    private init(channel: any Channel, handler: NIOLoopBound<RawClientHandler>) {
        self.channel = channel
        self.handler = handler
    }

    /// Connects to a base URL of a simulator, trusting its authority.
    static func connect(to url: String, authority pem: String) async throws -> RawClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)))
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        // Kept from the beginning: a connection that the server closes at once has an empty pipeline soon.
        let handler = try await eventLoop.submit { NIOLoopBound(RawClientHandler(), eventLoop: eventLoop) }.get()
        let channel = try await ClientBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers = channel.pipeline.syncOperations
                    try handlers.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
                    try handlers.addHandler(NIOHTTP2Handler(mode: .client))
                    try handlers.addHandler(handler.value)
                }
            }
            .connect(host: "127.0.0.1", port: Int(url.split(separator: ":").last ?? "") ?? 0).get()
        return RawClient(channel: channel, handler: handler)
    }

    /// Sends one request and waits for what comes back.
    func send(_ headers: [(String, String)], body: [UInt8]) async throws -> Response {
        try await channel.eventLoop.flatSubmit {
            self.handler.value.send(HPACKHeaders(headers), body: body)
        }.get()
    }

    /// The values of SETTINGS_MAX_CONCURRENT_STREAMS that have come so far.
    func streamLimits() async throws -> [Int] {
        try await channel.eventLoop.submit { self.handler.value.streamLimits }.get()
    }

    func closed() async throws { try await channel.closeFuture.get() }
    func close() async throws { try await channel.close() }
}

/// Waits for SETTINGS before it writes, and keeps a promise for each stream.
private final class RawClientHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private(set) var streamLimits: [Int] = []
    private var isReady = false
    private var isClosed = false
    private var context: ChannelHandlerContext?
    private var next = 1
    private var waiting: [(HPACKHeaders, [UInt8], EventLoopPromise<RawClient.Response>)] = []
    private var streams:
        [HTTP2StreamID: (response: RawClient.Response, promise: EventLoopPromise<RawClient.Response>)] =
            [:]

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func send(_ headers: HPACKHeaders, body: [UInt8]) -> EventLoopFuture<RawClient.Response> {
        guard let context, !isClosed else {
            return MultiThreadedEventLoopGroup.singleton.next().makeFailedFuture(RawClient.Failure.closed)
        }
        let promise = context.eventLoop.makePromise(of: RawClient.Response.self)
        waiting.append((headers, body, promise))
        if isReady { writeWaiting(context) }
        return promise.futureResult
    }

    private func writeWaiting(_ context: ChannelHandlerContext) {
        for (headers, body, promise) in waiting {
            let stream = HTTP2StreamID(next)
            next += 2
            streams[stream] = (RawClient.Response(), promise)
            write(.headers(.init(headers: headers, endStream: body.isEmpty)), stream, context)
            if !body.isEmpty {
                write(.data(.init(data: .byteBuffer(ByteBuffer(bytes: body)), endStream: true)), stream, context)
            }
        }
        waiting = []
        context.flush()
    }

    private func write(_ payload: HTTP2Frame.FramePayload, _ stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        context.write(Self.wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        switch frame.payload {
        case .settings(.settings(let settings)):
            for setting in settings where setting.parameter == .maxConcurrentStreams {
                streamLimits.append(setting.value)
            }
            isReady = true
            writeWaiting(context)
        case .headers(let headers):
            for (name, value, _) in headers.headers { streams[frame.streamID]?.response.headers[name] = value }
            streams[frame.streamID]?.response.status = headers.headers.first(name: ":status").flatMap { Int($0) } ?? 0
            if headers.endStream { succeed(frame.streamID) }
        case .data(let data):
            if case .byteBuffer(let bytes) = data.data {
                streams[frame.streamID]?.response.body += Array(bytes.readableBytesView)
            }
            if data.endStream { succeed(frame.streamID) }
        case .rstStream(let code):
            streams.removeValue(forKey: frame.streamID)?.promise.fail(RawClient.Failure.reset(code))
        case .goAway(let last, _, let words):
            let failure = RawClient.Failure.goAway(
                lastStream: Int(last), words: words.map { String(buffer: $0) } ?? "")
            for (id, stream) in streams where id > last {
                streams[id] = nil
                stream.promise.fail(failure)
            }
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    private func succeed(_ id: HTTP2StreamID) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        stream.promise.succeed(stream.response)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        for stream in streams.values { stream.promise.fail(RawClient.Failure.closed) }
        for (_, _, promise) in waiting { promise.fail(RawClient.Failure.closed) }
        (streams, waiting) = ([:], [])
    }
}
