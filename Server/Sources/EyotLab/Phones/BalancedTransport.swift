import EyotKit
import Foundation

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
