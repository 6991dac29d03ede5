import Foundation
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

extension SenderConnection {
    /// Connects, with the host's name resolved anew, and answers the connection once TCP stands. It has no owner yet.
    static func open(
        to address: APNSAddress, tls: NIOSSLContext, configuration: APNSSenderConfiguration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<NIOLoopBound<SenderConnection>> {
        let (streamLimit, now) = (configuration.streamsPerConnection, configuration.now)
        return ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(configuration.pageTimeout))
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers = channel.pipeline.syncOperations
                    try handlers.addHandler(NIOSSLClientHandler(context: tls, serverHostname: address.serverName))
                    let joiner = WriteJoiner()
                    try handlers.addHandler(joiner)
                    try handlers.addHandler(http2(streamLimit: streamLimit))
                    try handlers.addHandler(SenderConnection(streamLimit: streamLimit, joiner: joiner, now: now))
                }
            }
            .connect(host: address.host, port: address.port)
            .flatMapThrowing { channel in
                let connection = try channel.pipeline.syncOperations.handler(type: SenderConnection.self)
                return NIOLoopBound(connection, eventLoop: eventLoop)
            }
    }

    private static func http2(streamLimit: Int) -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 16_384),
        ]
        // The guards below are made for servers. Apple resets many streams at once when it lowers their number, and answers
        // may come for pages that were given up.
        connection.maximumRecentlyResetStreams = 2 * streamLimit
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.maximumCount = 100_000
        return NIOHTTP2Handler(mode: .client, connectionConfiguration: connection, streamConfiguration: stream)
    }
}
