import NIOCore

/// Joins what is written between two flushes into one buffer, and can hold flushes back for a while.
///
/// HTTP/2 frames are small and written one by one; each buffer that reaches TLS becomes a record of its own. And NIO's
/// HTTP/2 handler sends bodies in the order of their streams only if it is flushed after each request; streams that end
/// in order are far cheaper to forget, at both ends. So a burst of requests is flushed one by one, down to here.
final class WriteJoiner: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var isHolding = false
    private var context: ChannelHandlerContext?
    private var joined = ByteBuffer()
    private var promises: [EventLoopPromise<Void>] = []

    /// From here on flushes end here.
    func hold() { isHolding = true }

    /// Lets everything go that was held back.
    func release() {
        isHolding = false
        if let context { flush(context: context) }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var buffer = Self.unwrapOutboundIn(data)
        joined.writeBuffer(&buffer)
        if let promise { promises.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {
        guard !isHolding else { return }
        send(context: context)
        context.flush()
    }

    /// What was written before a close goes out before it.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        isHolding = false
        flush(context: context)
        context.close(mode: mode, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
        promises = []
    }

    private func send(context: ChannelHandlerContext) {
        guard joined.readableBytes > 0 else { return }
        let waiting = promises
        promises = []
        let promise = waiting.isEmpty ? nil : context.eventLoop.makePromise(of: Void.self)
        promise?.futureResult.whenComplete { result in
            for promise in waiting { promise.completeWith(result) }
        }
        context.write(Self.wrapOutboundOut(joined), promise: promise)
        joined = context.channel.allocator.buffer(capacity: 0)
    }
}
