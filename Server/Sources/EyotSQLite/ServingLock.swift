import EyotStore
import Foundation

/// Of the processes that serve, one at a time uses a database: a lock of the operating system on a file beside it, which ends
/// with the process, however that ends. So whoever has it knows that the process before is dead.
package final class ServingLock: Sendable {
    private static let suffix = ".serving"

    private let file: Int32

    /// - Parameter path: the database's file, which need not be there yet.
    /// - Throws: ``StoreError/inUse(process:)`` where another process serves with it; and what the system says of the file.
    package init(database path: String) throws {
        // Two names of one database are one database.
        let lock = URL(fileURLWithPath: path).resolvingSymlinksInPath().path + Self.suffix
        // A program that this process starts must not keep it.
        file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw StoreError.failed("the file \(lock) cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            // The file is closed by `deinit`, which runs also when this throws.
            let holder = try? String(contentsOfFile: lock, encoding: .utf8)
            throw StoreError.inUse(process: holder.flatMap { Int($0.filter(\.isNumber)) })
        }
        // For whoever is refused. That it is there says nothing: the lock does.
        let text = "\(ProcessInfo.processInfo.processIdentifier)\n"
        ftruncate(file, 0)
        _ = text.withCString { pwrite(file, $0, strlen($0), 0) }
    }

    deinit { close(file) }
}
