import NIOCore
import NIOEmbedded
import NIOSSL

/// The client's side of TLS on one connection, without I/O. A blocking socket carries its bytes, so the cost of a
/// caller is that of its thread. One thread uses it.
final class TLSClient {
    private let channel = EmbeddedChannel()

    /// Begins a handshake.
    init(_ context: NIOSSLContext) throws {
        let handler = try NIOSSLClientHandler(context: context, serverHostname: "localhost")
        try channel.pipeline.syncOperations.addHandler(handler)
        // The channel has no socket, so that the address means nothing.
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 0), promise: nil)
    }

    /// Encrypts bytes. They wait for the end of the handshake.
    func write(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    /// Decrypts bytes from the server.
    func receive(_ bytes: ArraySlice<UInt8>) throws { try channel.writeInbound(ByteBuffer(bytes: bytes)) }

    /// The next bytes for the server; nil if there are none now.
    func outgoing() throws -> ByteBuffer? { try channel.readOutbound(as: ByteBuffer.self) }

    /// The decrypted bytes; empty if there are none now.
    func read() throws -> [UInt8] {
        var plain: [UInt8] = []
        while let buffer = try channel.readInbound(as: ByteBuffer.self) { plain += buffer.readableBytesView }
        return plain
    }

    /// Ends the session. Its farewell to the server is the last of ``outgoing()``.
    func end() { channel.close(promise: nil) }

    /// Frees the session. It waits for the server's farewell, and the channel's clock moves only here.
    func remove() { channel.embeddedEventLoop.advanceTime(by: .hours(1)) }
}
