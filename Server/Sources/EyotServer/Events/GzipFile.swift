import CZlib
import Foundation

/// A new gzip file that is written once, from its begin to its end.
struct GzipFile: ~Copyable {
    /// The failure to write a file. The disk may be full.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(path) could not be written: \(reason)" }
    }

    let path: String
    private let descriptor: Int32
    private var stream: gzFile?

    /// Creates the file, which others cannot read. A file of the same name is replaced.
    init(at path: String) throws(Failure) {
        self.path = path
        descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
        // The stream closes a descriptor of its own.
        stream = gzdopen(dup(descriptor), "wb6")
        guard stream != nil else { throw Failure(path: path, reason: "there is no memory for the compression") }
    }

    deinit {
        if let stream { gzclose(stream) }
        if descriptor >= 0 { close(descriptor) }
    }

    mutating func write(_ bytes: [UInt8]) throws(Failure) {
        guard !bytes.isEmpty else { return }
        let written = bytes.withUnsafeBytes { gzwrite(stream, $0.baseAddress, UInt32($0.count)) }
        guard written == bytes.count else { throw Failure(path: path, reason: reason) }
    }

    /// Ends the file. It is on the disk when this returns.
    consuming func finish() throws(Failure) {
        let open = stream
        stream = nil
        guard gzclose(open) == Z_OK, fsync(descriptor) == 0 else {
            throw Failure(path: path, reason: String(cString: strerror(errno)))
        }
    }

    private var reason: String {
        var code: Int32 = 0
        let text = gzerror(stream, &code).map { String(cString: $0) } ?? ""
        return code == Z_ERRNO || text.isEmpty ? String(cString: strerror(errno)) : text
    }
}
