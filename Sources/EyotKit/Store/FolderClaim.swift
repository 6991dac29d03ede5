import EyotContract
import Foundation

/// The claim of one instance on its folder, which two instances must not use at the same time: each would write its own
/// state over the other's.
///
/// The claim is a lock of the system on a file in the folder. It ends with the process, however that ends. iOS ends an
/// app that sleeps with a lock in a folder of its app group, so there is no lock there. In such a folder an instance
/// notices at its next save that another one has written, and does not write over it.
final class FolderClaim: Sendable {
    let directory: URL
    /// Whether a lock would end the app.
    private let isUnlockable: Bool
    /// The open lock file; nil without a lock.
    private let descriptor = Guarded<Int32?>(nil)
    /// The state file as this instance last saw it. Only for folders without a lock.
    private let seen = Guarded<Mark?>(nil)

    /// What changes when another instance replaces the file or writes over it.
    private struct Mark: Sendable, Equatable {
        var number: UInt64
        var bytes: UInt64
        var written: Date?
    }

    /// - Parameter isUnlockable: whether there must be no lock; nil decides by the folder.
    init(directory: URL, isUnlockable: Bool? = nil) {
        self.directory = directory
        self.isUnlockable = isUnlockable ?? directory.path.contains("/Containers/Shared/AppGroup/")
    }

    deinit { release() }

    /// Claims the folder. A second call asks again.
    ///
    /// - Returns: false if another instance has it. True if the lock cannot be made, for example on a full disk.
    func take() -> Bool {
        guard !isUnlockable else { return true }
        return descriptor.withLock { descriptor in
            guard descriptor == nil else { return true }
            try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let path = directory.appendingPathComponent("eyot.lock").path
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard file >= 0 else { return true }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                close(file)
                return false
            }
            descriptor = file
            return true
        }
    }

    /// Gives the folder back.
    func release() {
        descriptor.withLock { descriptor in
            if let file = descriptor {
                // A process that is being started shares the open file for a moment, and with it the lock.
                _ = flock(file, LOCK_UN)
                close(file)
            }
            descriptor = nil
        }
    }

    /// Whether another instance has written the file since this one last saw it.
    func isOvertaken(at file: URL) -> Bool {
        guard isUnlockable, let last = seen.withLock({ $0 }), let present = Self.mark(of: file) else { return false }
        return present != last
    }

    /// Records that this instance has read or written the file.
    func saw(_ file: URL) {
        guard isUnlockable else { return }
        let mark = Self.mark(of: file)
        seen.withLock { $0 = mark }
    }

    private static func mark(of file: URL) -> Mark? {
        guard let found = try? FileManager.default.attributesOfItem(atPath: file.path) else { return nil }
        return Mark(
            number: (found[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0,
            bytes: (found[.size] as? NSNumber)?.uint64Value ?? 0, written: found[.modificationDate] as? Date)
    }
}
