import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Opens the listeners, and knows every channel that has to be closed again.
final class SimulatorListener: Sendable {
    private struct Channels {
        var listeners: [any Channel] = []
        var connections: [ObjectIdentifier: any Channel] = [:]
        var accepted = 0
        var isStopping = false
    }

    private let core: SimulatorCore
    private let tls: NIOSSLContext
    private let group: any EventLoopGroup
    private let channels = Mutex(Channels())

    init(core: SimulatorCore, tls: NIOSSLContext, group: any EventLoopGroup) {
        self.core = core
        self.tls = tls
        self.group = group
    }

    /// Listens and answers the port.
    func listen(at endpoint: APNSEndpoint) async throws -> Int {
        let configuration = core.configuration
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            // Answers leave after each read, so that a busy connection delays neither other clients nor its own.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.prepare(channel, at: endpoint) }
            }
            .bind(host: configuration.host, port: configuration.ports[endpoint] ?? 0).get()
        channels.withLock { $0.listeners.append(channel) }
        return channel.localAddress?.port ?? 0
    }

    /// Closes listeners and connections, and waits until they are.
    func close() async {
        let open = channels.withLock { channels in
            channels.isStopping = true
            return channels.listeners + channels.connections.values
        }
        for channel in open { channel.close(mode: .all, promise: nil) }
        for channel in open { try? await channel.closeFuture.get() }
    }

    private struct TooManyConnections: Error {}

    private func prepare(_ channel: any Channel, at endpoint: APNSEndpoint) throws {
        guard let number = admit(channel) else { throw TooManyConnections() }
        let limits = core.configuration.limits
        let handlers = channel.pipeline.syncOperations
        try handlers.addHandler(NIOSSLServerHandler(context: tls))
        try handlers.addHandler(IdleStateHandler(allTimeout: TimeAmount(limits.idle)))
        try handlers.addHandler(SimulatorConnection(core: core, endpoint: endpoint, number: number))
    }

    /// The connection's number; nil if there are too many.
    private func admit(_ channel: any Channel) -> Int? {
        let id = ObjectIdentifier(channel)
        let number: Int? = channels.withLock { channels in
            guard !channels.isStopping, channels.connections.count < core.configuration.limits.connections
            else { return nil }
            channels.connections[id] = channel
            channels.accepted += 1
            return channels.accepted
        }
        if number != nil {
            channel.closeFuture.whenComplete { _ in self.channels.withLock { $0.connections[id] = nil } }
        }
        return number
    }
}
