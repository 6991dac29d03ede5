import NIOCore

/// The header of the PROXY protocol, version 2: <https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt>,
/// section 2.2.
struct ProxyV2Header: Equatable {
    struct Malformed: Error {}

    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]
    /// The most bytes after the fixed part. Real headers carry addresses, and some hundred bytes about TLS.
    private static let longest = 4_096

    /// The caller's address. Nil if the proxy speaks for itself, for example to check health, or knows no address.
    var caller: SocketAddress?

    /// Reads the header from the bytes of a connection, and removes it.
    ///
    /// - Returns: nil if the header is not complete yet.
    static func read(from buffer: inout ByteBuffer) throws(Malformed) -> ProxyV2Header? {
        let view = buffer.readableBytesView
        guard view.prefix(signature.count).elementsEqual(signature.prefix(view.count)) else { throw Malformed() }
        guard view.count >= signature.count + 4 else { return nil }
        let (command, family) = (view[view.startIndex + 12], view[view.startIndex + 13])
        let length = Int(view[view.startIndex + 14]) << 8 | Int(view[view.startIndex + 15])
        guard command == 0x20 || command == 0x21, length <= longest else { throw Malformed() }
        guard view.count >= 16 + length else { return nil }
        buffer.moveReaderIndex(forwardBy: 16)
        guard let block = buffer.readBytes(length: length) else { throw Malformed() }
        return ProxyV2Header(caller: command == 0x20 ? nil : try caller(of: family, in: block))
    }

    private static func caller(of family: UInt8, in block: [UInt8]) throws(Malformed) -> SocketAddress? {
        let length: Int
        switch family {
        case 0x00: return nil
        // TCP over IPv4 and IPv6: two addresses and two ports.
        case 0x11: length = 4
        case 0x21: length = 16
        default: throw Malformed()
        }
        guard block.count >= 2 * length + 4,
            let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: block.prefix(length)), port: 0)
        else { throw Malformed() }
        return address
    }
}

/// The handler that removes the PROXY protocol's header from a connection, and passes the bytes after it on.
final class ProxyV2Handler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let onCaller: (SocketAddress?) -> Void
    private let onFault: () -> Void
    /// The bytes of the header so far; nil once it is complete.
    private var received: ByteBuffer? = ByteBuffer()

    /// - Parameters:
    ///   - onCaller: Called once, with the address that the header names.
    ///   - onFault: Called before a connection without a correct header is closed.
    init(onCaller: @escaping (SocketAddress?) -> Void, onFault: @escaping () -> Void) {
        self.onCaller = onCaller
        self.onFault = onFault
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard var buffer = received else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        buffer.writeBuffer(&bytes)
        received = buffer
        do throws(ProxyV2Header.Malformed) {
            guard let header = try ProxyV2Header.read(from: &buffer) else { return }
            received = nil
            onCaller(header.caller)
            if buffer.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(buffer)) }
        } catch {
            onFault()
            context.close(promise: nil)
        }
    }
}
