import NIOCore
import Synchronization

/// The caller's address that the PROXY protocol names for one connection.
package final class ProxiedAddress: Sendable {
    private let address = Mutex<SocketAddress?>(nil)

    /// The address for the request that the current task answers; nil if the listener reads no PROXY protocol.
    @TaskLocal package static var current: ProxiedAddress?

    /// Nil until the header has come, or if it names no address.
    package internal(set) var value: SocketAddress? {
        get { address.withLock { $0 } }
        set { address.withLock { $0 = newValue } }
    }
}
