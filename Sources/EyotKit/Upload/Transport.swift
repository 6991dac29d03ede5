import Foundation

/// How the SDK reaches the server. Tests script the answers; apps use ``URLSessionTransport``.
public protocol Transport: Sendable {
    /// Posts a JSON body and waits for the answer. Throws where there was none.
    ///
    /// - Parameters:
    ///   - body: JSON.
    ///   - url: of the route.
    ///   - bearer: goes as `Authorization: Bearer …`.
    ///   - secret: goes as `Eyot-Device-Secret`, where there is one.
    func post(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async throws -> TransportAnswer
}

/// What the server answered.
public struct TransportAnswer: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The body, at most ``bodyLimit`` bytes.
    public var body: [UInt8]
    /// Seconds, where the server said `Retry-After` in seconds.
    public var retryAfter: Double?

    /// A longer body counts as no answer. An answer's size is bounded by the cards of one phone.
    public static let bodyLimit = 1_048_576

    /// Makes an answer.
    public init(status: Int, body: [UInt8], retryAfter: Double? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
    }
}
