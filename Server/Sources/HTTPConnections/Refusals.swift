import Synchronization

/// Counts what the listeners of a process have refused.
package final class Refusals: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A connection beyond the limit of all.
        case connections
        /// A connection beyond the limit of its address.
        case connectionsPerAddress
        /// A request whose head came too slowly.
        case headTime
        /// A request whose body came too slowly.
        case bodyTime
        /// A request that was not answered in time, or whose answer was not read.
        case requestTime
        /// A body beyond the bytes that are held at a time.
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

    /// How many there were since the process began, of the kinds that occurred.
    package var sums: [Kind: Int] { counts.withLock { $0 } }
}

/// What a client receives in place of an answer to its request.
package struct RefusalAnswer: Sendable {
    package var status: Int
    package var contentType: String
    package var body: [UInt8]
    /// Seconds after which the client may try again; nil says nothing of it.
    package var retryAfter: Int?

    package init(status: Int, contentType: String, body: [UInt8], retryAfter: Int? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.retryAfter = retryAfter
    }
}
