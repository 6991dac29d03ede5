import EyotCommands
import EyotHTTP
import EyotTestKit
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

/// The API on a real socket of the loopback, at a port that the system chooses.
enum ListeningServer {
    /// Runs the server for as long as `test` takes, and hands it the port.
    static func run(
        headerBytes: Int? = nil, _ test: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        var settings = HTTPServer.Settings(host: "127.0.0.1", port: 0)
        settings.headerBytes = headerBytes ?? settings.headerBytes
        let api = API(
            Backend(
                store: MemoryStore(), clock: StandingClock(), sealer: Sealer(MasterKey.make()),
                checkAPNSKey: { _, _, _ in }))
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = HTTPServer(api, settings: settings, logger: logger) { port.yield($0) }
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await test(try #require(await ports.first { _ in true }))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

/// One connection on which a test writes and reads bytes.
struct RawConnection {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var received = ""

    /// Opens a connection for as long as `test` takes.
    static func open(
        port: Int, _ test: @escaping @Sendable (inout RawConnection) async throws -> Void
    ) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            var connection = RawConnection(inbound: inbound.makeAsyncIterator(), outbound: outbound)
            try await test(&connection)
        }
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

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
}
