import EyotStore
import Foundation

/// The lock that lets one serving process at a time use a database. It is an operating system lock on a file beside the
/// database, and ends with the process. So its owner knows that the process before is dead.
package final class ServingLock: Sendable {
    private static let suffix = ".serving"
    /// Attempts and microseconds between them. A process that is being made has the files of the one that makes it for
    /// a moment, also after that one has closed them.
    private static let (attempts, pause) = (10, UInt32(20_000))

    private let file: Int32

    /// - Parameter path: The database's file, which need not exist yet.
    /// - Throws: ``StoreError/inUse(process:)`` if another process serves with it, and the system's errors for the
    ///   file.
    package init(database path: String) throws {
        // Two names of one database are one database.
        let lock = URL(fileURLWithPath: path).resolvingSymlinksInPath().path + Self.suffix
        file = try PrivateFile.make(lock) ?? PrivateFile.reopen(lock)
        guard Self.lock(file) else {
            // The file is closed by `deinit`, which runs also when this throws.
            let holder = try? String(contentsOfFile: lock, encoding: .utf8)
            throw StoreError.inUse(process: holder.flatMap { Int($0.filter(\.isNumber)) })
        }
        // A refused process reads this number. Only the lock itself says whether a process serves.
        let text = "\(ProcessInfo.processInfo.processIdentifier)\n"
        ftruncate(file, 0)
        _ = text.withCString { pwrite(file, $0, strlen($0), 0) }
    }

    deinit {
        // A process that is being started shares the open file for a moment, and with it the lock.
        flock(file, LOCK_UN)
        close(file)
    }

    private static func lock(_ file: Int32) -> Bool {
        for attempt in 1...attempts {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
            if attempt < attempts { usleep(pause) }
        }
        return false
    }
}
