import NIOCore

/// The handler of bytes before they are decoded. It reports incoming bytes, and drops them once the gate is shut.
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

    /// Drops all further bytes. They are still read, so that the client is not cut off while it sends.
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
        // The handlers behind this one no longer ask for more.
        if isShut { context.read() }
    }
}
