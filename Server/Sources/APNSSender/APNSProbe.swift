import APNSWire
import EyotContract
import Foundation
import NIOCore
import NIOSSL

/// The result of a try to reach a push service.
public enum APNSProbe: Sendable, Equatable {
    /// TLS works and the server speaks HTTP/2. The value is the number of streams that it allows at first; nil if it
    /// does not say.
    case reachable(concurrentStreams: Int?)
    /// The service cannot be reached, with the reason.
    case unreachable(String)
}

/// A connection that is opened only to test the service.
final class ProbeConnection: SenderConnectionOwner {
    private var continuation: CheckedContinuation<APNSProbe, Never>?
    private var connection: SenderConnection?

    private init(_ continuation: CheckedContinuation<APNSProbe, Never>) { self.continuation = continuation }

    static func run(
        _ address: APNSAddress, tls: NIOSSLContext, configuration: APNSSenderConfiguration, eventLoop: any EventLoop
    ) async -> APNSProbe {
        let box = NIOLoopBoundBox<ProbeConnection?>.makeEmptyBox(valueType: ProbeConnection.self, eventLoop: eventLoop)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await configuration.clock.sleep(for: configuration.pageTimeout)
                eventLoop.execute { box.value?.end(.unreachable("no answer within \(configuration.pageTimeout)")) }
            }
            let result = await withCheckedContinuation { continuation in
                eventLoop.execute {
                    let probe = ProbeConnection(continuation)
                    box.value = probe
                    probe.open(address, tls, configuration, eventLoop)
                }
            }
            group.cancelAll()
            return result
        }
    }

    private func open(
        _ address: APNSAddress, _ tls: NIOSSLContext, _ configuration: APNSSenderConfiguration,
        _ eventLoop: any EventLoop
    ) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        SenderConnection.open(to: address, tls: tls, configuration: configuration, on: eventLoop)
            .whenComplete { result in bound.value.opened(result) }
    }

    private func opened(_ result: Result<NIOLoopBound<SenderConnection>, any Error>) {
        switch result {
        case .failure(let error): end(.unreachable("\(error)"))
        case .success(let bound):
            connection = bound.value
            bound.value.owner = self
            if continuation == nil { return bound.value.close() }
            if bound.value.isReady { connectionIsReady(bound.value) }
            if bound.value.isClosed { connectionClosed(bound.value) }
        }
    }

    private func end(_ result: APNSProbe) {
        continuation?.resume(returning: result)
        continuation = nil
        connection?.close()
        connection = nil
    }

    func connectionIsReady(_ connection: SenderConnection) {
        end(.reachable(concurrentStreams: connection.peerStreamLimit))
    }

    func connectionClosed(_ connection: SenderConnection) {
        end(.unreachable(connection.error.map { "\($0)" } ?? "the server closed the connection"))
    }

    func connection(_ connection: SenderConnection, answered reason: APNSReason?) {}
    func providerTokenExpired(_ token: String) {}
    func connectionMayHaveRoom(_ connection: SenderConnection) {}
    func connectionIsLeaving(_ connection: SenderConnection) {}
}
