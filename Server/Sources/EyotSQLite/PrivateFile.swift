import EyotStore
import Foundation

/// Files beside a database, with access for one user alone.
enum PrivateFile {
    /// Makes a file.
    ///
    /// A file of the superuser gets the owner of its folder. The server of a package runs as a user of its own, and has
    /// to open what an operator's command has made.
    ///
    /// - Returns: The open file; nil if there is something with this name, also a link.
    /// - Throws: ``StoreError`` that says why there is no file.
    static func make(_ path: String) throws -> Int32? {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST { return nil }
            throw StoreError.failed(
                "the file \(path) cannot be made: \(reason); see that its folder exists and is writable")
        }
        guard geteuid() == 0 else { return file }
        var folder = stat()
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard stat(parent, &folder) == 0, fchown(file, folder.st_uid, folder.st_gid) == 0 else {
            defer { close(file) }
            throw StoreError.failed("the file \(path) cannot get the owner of its folder: \(reason)")
        }
        return file
    }

    /// Makes an empty file, unless there is something with this name.
    ///
    /// - Returns: Whether it was made.
    static func makeEmpty(_ path: String) throws -> Bool {
        guard let file = try make(path) else { return false }
        close(file)
        return true
    }

    /// Opens a file that is there, and follows no link: the folder may belong to another user.
    static func reopen(_ path: String) throws -> Int32 {
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw StoreError.failed("the file \(path) cannot be opened: \(reason)") }
        return file
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
