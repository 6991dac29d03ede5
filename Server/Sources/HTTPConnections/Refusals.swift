import Synchronization

/// The counts of what the listeners of a process have refused.
package final class Refusals: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A connection beyond the limit of all.
        case connections
        /// A connection beyond the limit of its address.
        case connectionsPerAddress
        /// A TLS connection that came while the listener was late.
        case lag
        /// A request with a head that came too slowly.
        case headTime
        /// A request with a body that came too slowly.
        case bodyTime
        /// A request without an answer in time, or with an answer that the client did not read.
        case requestTime
        /// A body beyond the bytes that may be held at a time.
        case bodyBytes
        /// A request of HTTP/1.1 without a Host header, or with several.
        case host
        /// Bytes that are not HTTP/1.1.
        case malformed
    }

    private let counts = Mutex<[Kind: Int]>([:])

    package init() {}

    /// Counts one refusal.
    package func note(_ kind: Kind) { counts.withLock { $0[kind, default: 0] += 1 } }

    /// The refusals since the process began, by kind. A kind without refusals is missing.
    package var sums: [Kind: Int] { counts.withLock { $0 } }
}

/// The answer to a client when its request is refused.
package struct RefusalAnswer: Sendable {
    package var status: Int
    package var contentType: String
    package var body: [UInt8]
    /// Seconds after which the client may try again; nil for no such header. Each refusal names one of them by chance.
    package var retryAfter: ClosedRange<Int>?

    package init(status: Int, contentType: String, body: [UInt8], retryAfter: ClosedRange<Int>? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.retryAfter = retryAfter
    }
}
