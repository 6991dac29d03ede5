import NIOCore

/// Joins what is written between two flushes into one buffer.
///
/// HTTP/2 frames are small and written one by one; each buffer that reaches TLS becomes a record of its own, with its own tag to
/// make here and to check there.
final class WriteJoiner: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var joined = ByteBuffer()
    private var promises: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var buffer = Self.unwrapOutboundIn(data)
        joined.writeBuffer(&buffer)
        if let promise { promises.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {
        send(context: context)
        context.flush()
    }

    /// What was written before a close goes out before it.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        flush(context: context)
        context.close(mode: mode, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
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
        joined.clear()
    }
}
