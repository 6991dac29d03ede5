import EyotContract
import Foundation

/// The SDK's connection to the server. Tests script the answers; apps use ``URLSessionTransport``.
public protocol Transport: Sendable {
    /// Posts a JSON body and waits for the answer. Throws if there was none.
    ///
    /// - Parameters:
    ///   - body: the body as JSON.
    ///   - url: the URL of the route.
    ///   - bearer: the credential for `Authorization: Bearer …`.
    ///   - secret: the value of `Eyot-Device-Secret`; nil leaves the header out.
    func post(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async throws -> TransportAnswer

    /// Passes a request to the system, which makes it even if the app sleeps or is dead. It replaces the request that
    /// was passed before.
    ///
    /// The answer is lost, and with it the history in it. The same changes are sent again until
    /// ``post(_:to:bearer:secret:)`` gets an answer, which has the history, and the server ignores those that it has.
    /// The parameters are those of ``post(_:to:bearer:secret:)``. The default implementation does nothing.
    func handOver(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async

    /// Cancels the request that was passed to the system, if it was not made yet. The default implementation does
    /// nothing.
    func takeBack() async
}

extension Transport {
    /// Does nothing.
    public func handOver(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async {}

    /// Does nothing.
    public func takeBack() async {}
}

/// The time at which an urgent request is passed to the system.
package enum HandOver {
    /// Seconds without an answer after which a request is passed to the system. The system may suspend the app soon
    /// then.
    package static let patience = 10.0
}

/// The server's answer.
public struct TransportAnswer: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The body, at most ``bodyLimit`` bytes.
    public var body: [UInt8]
    /// The `Retry-After` of the answer in seconds; nil if it has none in seconds.
    public var retryAfter: Double?
    /// The `Eyot-History` of the answer; nil if it has none. A text that is no history's id counts as none.
    public var history: String?

    /// The longest body in bytes. A longer one counts as no answer. The cards of one phone bound the size of an answer.
    public static let bodyLimit = 1_048_576

    /// Makes an answer.
    public init(status: Int, body: [UInt8], retryAfter: Double? = nil, history: String? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
        self.history = history.flatMap { DeviceLimits.isHistory($0) ? $0 : nil }
    }
}
