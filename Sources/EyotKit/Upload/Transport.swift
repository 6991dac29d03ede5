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

    /// Hands a request over to the system, which makes it although the app sleeps or is dead. It takes the place of
    /// the one that was handed over before. Nothing is heard of its answer: the same changes are sent again until
    /// ``post(_:to:bearer:secret:)`` has one, and the server passes over those that it has.
    ///
    /// The parameters are those of ``post(_:to:bearer:secret:)``. A transport without such a way does nothing, as by
    /// default.
    func handOver(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async

    /// Takes back what was handed over, where the system has not made it yet. By default there is nothing to do.
    func takeBack() async
}

extension Transport {
    /// Does nothing.
    public func handOver(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async {}

    /// Does nothing.
    public func takeBack() async {}
}

/// When the system is asked to make a request that cannot wait.
package enum HandOver {
    /// Seconds after which a request without an answer is handed over: the system may put the app to sleep soon.
    package static let patience = 10.0
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
