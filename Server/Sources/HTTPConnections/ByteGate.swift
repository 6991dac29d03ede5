import NIOCore

/// The bytes of a connection before they are decoded: reports that some came, and drops them once the gate is shut.
final class ByteGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Called before the bytes are decoded.
    var onBytes: () -> Void = {}
    private var isShut = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        onBytes = {}
    }

    /// Drops what comes from now on. It is still read, so that the client is not cut off while it sends.
    func shut() {
        isShut = true
        context?.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isShut else { return }
        onBytes()
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Nothing behind this handler asks for more.
        if isShut { context.read() }
    }
}
