import APNSWire
import Crypto
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import APNSSender
@testable import APNSSimulator

/// Pushes to a server that shares no code of ours with the sender. It is swift-nio-http2's, which checks frames,
/// windows and header fields.
@Suite struct ForeignServerTests {
    @Test func `a server of other people's understands every push, and its answers are understood`() async throws {
        let server = try await ForeignServer.start()
        let sender = try server.sender()
        let key = try ProviderKey(teamID: "TEAM000001", keyID: "KEY0000001", privateKey: P256.Signing.PrivateKey())
        for first in [0, 500] {
            let result = await sender.send(Rig.page(500, first: first), key: key)
            #expect(result.verdicts.filter { $0 == .accepted }.count == 490)
            #expect(result.verdicts.filter { $0 == .refused(.unregistered) }.count == 10)
        }
        await sender.shutdown()
        let seen = server.seen
        #expect(seen.failures.isEmpty)
        #expect(seen.paths.count == 1_000)
        #expect(seen.bodies == [String(decoding: Rig.payload(at: Rig.start), as: UTF8.self)])
        try await server.stop()
    }
}

/// Refuses every fiftieth request and takes the others. Its answers are Huffman coded.
private final class ForeignServer: Sendable {
    struct Seen: Sendable {
        var paths: Set<String> = []
        var bodies: Set<String> = []
        var failures: [String] = []
    }

    private let channel: any Channel
    private let certificates: SimulatorCertificates
    private let box: Box

    final class Box: Sendable {
        let seen = Mutex(Seen())
    }

    var seen: Seen { box.seen.withLock { $0 } }

    private init(channel: any Channel, certificates: SimulatorCertificates, box: Box) {
        self.channel = channel
        self.certificates = certificates
        self.box = box
    }

    static func start() async throws -> ForeignServer {
        let certificates = try SimulatorCertificates()
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.chain.map { .certificate($0) }, privateKey: .privateKey(certificates.key))
        tls.applicationProtocols = ["h2"]
        let (context, box) = (try NIOSSLContext(configuration: tls), Box())
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers = channel.pipeline.syncOperations
                    try handlers.addHandler(NIOSSLServerHandler(context: context))
                    try handlers.addHandler(NIOHTTP2Handler(mode: .server))
                    try handlers.addHandler(ForeignServerHandler(box))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return ForeignServer(channel: channel, certificates: certificates, box: box)
    }

    func sender() throws -> APNSSender {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).pem").path
        try Data(certificates.caPEM.utf8).write(to: URL(fileURLWithPath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        var configuration = APNSSenderConfiguration()
        configuration.sandboxURL = "https://127.0.0.1:\(channel.localAddress?.port ?? 0)"
        configuration.trust = .authorities(pemFile: file)
        configuration.connectionsPerKey = 1
        configuration.pageTimeout = .seconds(60)
        configuration.now = { Rig.start }
        return try APNSSender(configuration)
    }

    func stop() async throws { try await channel.close() }
}

private final class ForeignServerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let box: ForeignServer.Box
    private var count = 0

    init(_ box: ForeignServer.Box) { self.box = box }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let headers):
            let path = headers.headers.first(name: ":path") ?? ""
            if !box.seen.withLock({ $0.paths.insert(path).inserted }) { fail("a path came twice") }
        case .data(let data):
            guard case .byteBuffer(let bytes) = data.data else { return fail("a body that is no bytes") }
            box.seen.withLock { _ = $0.bodies.insert(String(buffer: bytes)) }
            write(.windowUpdate(windowSizeIncrement: bytes.readableBytes), .rootStream, context)
            count += 1
            let isRefused = count % 50 == 0
            answer(frame.streamID, isRefused ? #"{"reason":"Unregistered"}"# : "", context)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail("\(error)")
        context.close(promise: nil)
    }

    private func fail(_ words: String) { box.seen.withLock { $0.failures.append(words) } }

    private func answer(_ stream: HTTP2StreamID, _ body: String, _ context: ChannelHandlerContext) {
        let headers = HPACKHeaders([(":status", body.isEmpty ? "200" : "410"), ("apns-id", "number \(count)")])
        write(.headers(.init(headers: headers, endStream: body.isEmpty)), stream, context)
        guard !body.isEmpty else { return }
        write(.data(.init(data: .byteBuffer(ByteBuffer(string: body)), endStream: true)), stream, context)
    }

    private func write(_ payload: HTTP2Frame.FramePayload, _ stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        context.write(Self.wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
    }
}
