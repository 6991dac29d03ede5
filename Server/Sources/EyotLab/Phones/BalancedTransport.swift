import EyotKit
import Foundation
import NIOCore
import OutboundHTTP

extension NarrowTransport {
    /// How many requests of phones are under way at once.
    private static let width = 64

    /// The network of all phones of this process.
    static let ofPhones: NarrowTransport = {
        // The time is that of an app's session without a byte.
        let limits = OutboundClient.Limits(
            time: .seconds(30), bodyBytes: TransportAnswer.bodyLimit, calls: width, connections: width,
            quietTime: .seconds(10))
        return NarrowTransport(
            network: OutboundTransport(client: OutboundClient(limits)), places: Places(width))
    }()
}

/// Real HTTP from the phones to the lab's nodes, as through a load balancer.
struct BalancedTransport: Transport {
    let network: any Transport
    let round: NodeRound

    func post(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async throws -> TransportAnswer {
        // The server knows changes that it has by their numbers.
        try await round.call(isRepeatable: true) { server in
            try await network.post(body, to: url.moved(to: server), bearer: bearer, secret: secret)
        }
    }
}
