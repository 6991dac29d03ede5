import Foundation

/// A value behind a lock.
///
/// `Synchronization.Mutex` needs macOS 15 and iOS 18, and this package supports older systems.
///
/// Unchecked: `value` is read and written only in ``withLock(_:)``, between lock and unlock. It is Sendable itself, so
/// a value may leave the lock.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Runs `body` with the lock held. Not reentrant: `body` must not take this lock again.
    package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
