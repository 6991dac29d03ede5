import EyotKit
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSessionTransport {
    /// The network of all phones of this process. A phone in the field has connections of its own, so there are many.
    static let ofPhones: URLSessionTransport = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 64
        configuration.timeoutIntervalForRequest = 30
        configuration.timeoutIntervalForResource = 60
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        return URLSessionTransport(session: URLSession(configuration: configuration))
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
