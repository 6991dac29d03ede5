import EyotKit
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension NarrowTransport {
    /// How many requests of phones are under way at once.
    private static let width = 64

    /// The network of all phones of this process.
    static let ofPhones: NarrowTransport = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = width
        configuration.timeoutIntervalForRequest = 30
        configuration.timeoutIntervalForResource = 60
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        let network = URLSessionTransport(session: URLSession(configuration: configuration))
        return NarrowTransport(network: network, places: Places(width))
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
