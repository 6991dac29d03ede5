import Foundation

/// A value behind a lock.
///
/// `Synchronization.Mutex` would do, but it needs macOS 15 and iOS 18, and this package builds for older ones.
///
/// Unchecked: `value` is read and written only in ``withLock(_:)``, between lock and unlock, and it is itself Sendable,
/// so what leaves the lock is safe to have left.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Not reentrant: `body` must not come back to this lock.
    package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
