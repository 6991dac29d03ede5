import NIOCore
import Synchronization

/// The caller's address as the PROXY protocol names it for one connection.
package final class ToldAddress: Sendable {
    private let address = Mutex<SocketAddress?>(nil)

    /// Of the connection whose request the current task answers; nil if the listener reads no PROXY protocol.
    @TaskLocal package static var current: ToldAddress?

    /// Nil until the header has come, and if it names none.
    package internal(set) var value: SocketAddress? {
        get { address.withLock { $0 } }
        set { address.withLock { $0 = newValue } }
    }
}
