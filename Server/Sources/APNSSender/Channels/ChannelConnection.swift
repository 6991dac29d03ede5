import APNSWire
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A connection for requests about channels. Each request has a stream channel of its own, because there are few of
/// them. The list of all channels is longer than a stream's window.
struct ChannelConnection: Sendable {
    private typealias Stream = NIOAsyncChannel<HTTP2Frame.FramePayload, HTTP2Frame.FramePayload>

    /// The most bytes of an answer that are read: room for ten thousand channels with ids of 80 bytes.
    private static let bodyLimit = APNSLimits.channels * 84

    private let channel: any Channel
    private let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<Void>

    static func open(
        to address: APNSAddress, tls: NIOSSLContext, timeout: Duration, on eventLoop: any EventLoop
    ) async throws -> ChannelConnection {
        try await ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(timeout))
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers = channel.pipeline.syncOperations
                    try handlers.addHandler(NIOSSLClientHandler(context: tls, serverHostname: address.serverName))
                    // Apple opens no streams.
                    let streams = try handlers.configureAsyncHTTP2Pipeline(mode: .client) { stream in
                        stream.close()
                    }
                    return ChannelConnection(channel: channel, streams: streams)
                }
            }
    }

    var isOpen: Bool { channel.isActive }

    func close() { channel.close(promise: nil) }

    func send(_ headers: HPACKHeaders, _ body: [UInt8]) async throws -> ChannelResponse {
        let stream: Stream = try await streams.openStream { channel in
            channel.eventLoop.makeCompletedFuture { try Stream(wrappingChannelSynchronously: channel) }
        }
        return try await stream.executeThenClose { inbound, outbound in
            try await outbound.write(.headers(.init(headers: headers, endStream: body.isEmpty)))
            if !body.isEmpty {
                try await outbound.write(.data(.init(data: .byteBuffer(ByteBuffer(bytes: body)), endStream: true)))
            }
            var response = ChannelResponse()
            for try await frame in inbound {
                let isLast = try Self.read(frame, into: &response)
                if isLast { return response }
            }
            throw Unfinished()
        }
    }

    /// Reads a frame. Returns whether it was the last one of the answer.
    private static func read(_ frame: HTTP2Frame.FramePayload, into response: inout ChannelResponse) throws -> Bool {
        switch frame {
        case .headers(let headers):
            // Trailers have no status.
            if let status = headers.headers.first(name: ":status").flatMap({ Int($0) }) {
                response.status = status
                response.headers = headers.headers
            }
            return headers.endStream
        case .data(let data):
            if case .byteBuffer(let bytes) = data.data { response.body += bytes.readableBytesView }
            guard response.body.count <= bodyLimit else { throw TooLong() }
            return data.endStream
        default: return false
        }
    }

    private struct Unfinished: Error, CustomStringConvertible {
        var description: String { "the connection ended before the answer" }
    }

    private struct TooLong: Error, CustomStringConvertible {
        var description: String { "the answer is too long" }
    }
}
