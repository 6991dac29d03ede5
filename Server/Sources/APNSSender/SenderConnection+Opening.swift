import Foundation
import NIOCore
import NIOPosix
import NIOSSL

extension SenderConnection {
    /// The bounds of unsent bytes. A peer that does not read gets no further pushes above the upper bound.
    private static let unsentBytes = ChannelOptions.Types.WriteBufferWaterMark(low: 1 << 19, high: 1 << 21)

    /// Connects after resolving the host's name anew. Completes with the connection when TCP is established. The
    /// connection has no owner yet.
    static func open(
        to address: APNSAddress, tls: NIOSSLContext, configuration: APNSSenderConfiguration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<NIOLoopBound<SenderConnection>> {
        let (streamLimit, now) = (configuration.streamsPerConnection, configuration.now)
        return ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(configuration.pageTimeout))
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelOption(.writeBufferWaterMark, value: unsentBytes)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers = channel.pipeline.syncOperations
                    try handlers.addHandler(NIOSSLClientHandler(context: tls, serverHostname: address.serverName))
                    try handlers.addHandler(SenderConnection(streamLimit: streamLimit, now: now))
                }
            }
            .connect(host: address.host, port: address.port)
            .flatMapThrowing { channel in
                let connection = try channel.pipeline.syncOperations.handler(type: SenderConnection.self)
                return NIOLoopBound(connection, eventLoop: eventLoop)
            }
    }
}
