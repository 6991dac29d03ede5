import EyotCommands
import EyotHTTP
import EyotTestKit
import Foundation
import HTTPConnections
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import Testing

/// The API on a real socket of the loopback, at a port that the system chooses.
struct ListeningServer: Sendable {
    var port: Int
    /// The public key of an app.
    var appKey: String
    var store: MemoryStore
    var refusals: Refusals

    /// Leaves the listener's settings as they are.
    static let unchanged: @Sendable (inout HTTPServer.Settings) -> Void = { _ in }

    /// Runs the server for as long as `test` takes, and hands it the port.
    static func run(
        headerBytes: Int? = nil, _ test: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        try await run(
            change: { $0.headerBytes = headerBytes ?? $0.headerBytes }, { try await test($0.port) })
    }

    /// Runs the server for as long as `test` takes.
    ///
    /// - Parameters:
    ///   - limits: what callers may do.
    ///   - proxies: those that name their callers.
    ///   - change: changes the listener's settings.
    /// - Returns: the server's store, when the server has stopped.
    @discardableResult
    static func run(
        limits: CallLimits = CallLimits(), proxies: TrustedProxies = TrustedProxies(),
        change: (inout HTTPServer.Settings) -> Void,
        _ test: @escaping @Sendable (ListeningServer) async throws -> Void
    ) async throws -> MemoryStore {
        var settings = patient
        change(&settings)
        let (store, refusals) = (MemoryStore(), Refusals())
        let app = try await store.write { ledger in
            try ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "eyot_pk_test", at: Rig.start)
        }
        let api = API(
            Backend(
                store: store, clock: StandingClock(), sealer: Sealer(MasterKey.make()),
                checkAPNSKey: { _, _, _ in }, limits: limits, refusals: refusals), proxies: proxies)
        try await serve(api, settings) { port in
            try await test(ListeningServer(port: port, appKey: app.publicKey, store: store, refusals: refusals))
        }
        return store
    }

    /// A listener on a free port of the loopback.
    static var patient: HTTPServer.Settings {
        var settings = HTTPServer.Settings(host: "127.0.0.1", port: 0)
        // What a test does not shorten lasts, however busy the machine is.
        (settings.limits.headTime, settings.limits.reserveHeadTime) = (.minutes(10), .minutes(10))
        (settings.limits.bodyTime, settings.limits.requestTime) = (.minutes(10), .minutes(10))
        settings.limits.idleTime = .minutes(10)
        // A client on a busy machine takes a while to read its answer, which is lost when the connection is cut off.
        settings.limits.lingerTime = .seconds(5)
        return settings
    }

    /// Serves an API for as long as `test` takes. When it returns, every request is done.
    static func serve(
        _ api: API, _ settings: HTTPServer.Settings, _ test: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = HTTPServer(api, settings: settings, logger: logger) { port.yield($0) }
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await test(#require(await ports.first { _ in true }))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// A call of a phone that registers, up to its body.
    func registration(_ length: String) -> String {
        "POST /v1/device/register HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(appKey)\r\n"
            + "Content-Type: application/json\r\n\(length)\r\n\r\n"
    }

    /// Opens a connection for as long as `test` takes.
    func connect(_ test: @escaping @Sendable (inout RawConnection) async throws -> Void) async throws {
        try await RawConnection.open(port: port, test)
    }
}

/// One connection on which a test writes and reads bytes.
struct RawConnection {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let channel: any Channel
    private var received = ""

    /// Opens a connection for as long as `test` takes.
    ///
    /// - Parameters:
    ///   - tls: nil is in the clear.
    ///   - preface: what is sent before TLS begins.
    static func open(
        port: Int, tls: NIOSSLContext? = nil, preface: [UInt8] = [],
        _ test: @escaping @Sendable (inout RawConnection) async throws -> Void
    ) async throws {
        // A client that goes on sending after the server's last word.
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, _ in
            if !preface.isEmpty { try await channel.channel.writeAndFlush(ByteBuffer(bytes: preface)) }
            if let tls {
                try await channel.channel.eventLoop.submit {
                    try channel.channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: tls, serverHostname: "localhost"), position: .first)
                }.get()
            }
            var connection = RawConnection(inbound: inbound.makeAsyncIterator(), channel: channel.channel)
            try await test(&connection)
            guard tls != nil else { return }
            // The end of TLS is an exchange, and no other code reads the server's part of it.
            channel.channel.close(mode: .output, promise: nil)
            _ = await connection.readToEnd()
        }
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    /// Says that nothing more comes, and goes on reading.
    func endOutput() async throws { try await channel.close(mode: .output) }

    /// Cuts the connection off: the other end reads a reset.
    func reset() async throws {
        try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await channel.close()
    }

    /// Reads up to and including `text`, and returns what stands before it; nil if the connection ends first.
    mutating func read(until text: String) async throws -> String? {
        while true {
            if let range = received.firstRange(of: text) {
                defer { received = String(received[range.upperBound...]) }
                return String(received[..<range.lowerBound])
            }
            guard let part = try await inbound.next(isolation: #isolation) else { return nil }
            received += String(buffer: part)
        }
    }

    /// Reads until the server closes the connection or cuts it off.
    mutating func readToEnd() async -> String {
        while let part = try? await inbound.next(isolation: #isolation) { received += String(buffer: part) }
        return received
    }

    /// The same, while one byte after the other is sent.
    mutating func readToEnd(trickling byte: String) async -> String {
        let channel = channel
        async let sent: Void = {
            while (try? await channel.writeAndFlush(ByteBuffer(string: byte))) != nil {}
        }()
        let text = await readToEnd()
        await sent
        return text
    }
}
