import Crypto
import EyotContract
import EyotDomain
import Foundation
import Logging
import Synchronization

/// The record of calls as lines of JSON. Each line has the digest of the line before, so that a missing, changed or
/// misplaced line shows.
///
/// A line's `digest` is the SHA-256 of the line without that member. Its `previous` is the digest of the line before
/// it. The first line of a new chain has no `previous`.
package final class AuditLog: Sendable {
    private struct State {
        var file: FileHandle
        /// The number of the file as it was opened; nil for standard output.
        var identity: UInt64?
        var previous: String?
        /// How many lines could not be written since the last report.
        var lost = 0
    }

    private let path: String?
    private let state: Mutex<State>

    /// - Parameter target: A file, which is created or continued, or `-` for standard output.
    /// - Throws: ``AuditLogError``.
    package init(_ target: String) throws {
        path = target == "-" ? nil : target
        guard let path else {
            state = Mutex(State(file: .standardOutput))
            return
        }
        let (file, identity) = try Self.open(path)
        state = Mutex(State(file: file, identity: identity, previous: try Self.lastDigest(in: path)))
    }

    private static func open(_ path: String) throws -> (FileHandle, UInt64?) {
        let descriptor = Foundation.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AuditLogError(path: path, reason: String(cString: strerror(errno))) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return (file, identity(of: path))
    }

    private static func identity(of path: String) -> UInt64? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber)?.uint64Value
    }

    /// The most bytes of a file's last line.
    private static let tail: UInt64 = 16_384

    private static func lastDigest(in path: String) throws -> String? {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let end = try file.seekToEnd()
        try file.seek(toOffset: end > tail ? end - tail : 0)
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").last.flatMap { try? JSONValue(parsing: Array($0.utf8)) }?
            .object?["digest"]?.string
    }

    /// Writes a line, or counts it as lost if it cannot be written.
    package func write(_ line: JSONObject) {
        state.withLock { state in
            var line = line
            line["previous"] = state.previous.map(JSONValue.string)
            let digest = Self.digest(of: line)
            line["digest"] = .string(digest)
            do {
                try state.file.write(contentsOf: Data((JSONValue.object(line).text + "\n").utf8))
                state.previous = digest
            } catch {
                state.lost += 1
            }
        }
    }

    /// Opens the file anew if another program has moved it, and logs how many lines were lost since the last call.
    package func tend(_ logger: Logger) {
        let lost = state.withLock { state in
            defer { state.lost = 0 }
            if let path, Self.identity(of: path) != state.identity, let (file, identity) = try? Self.open(path) {
                (state.file, state.identity) = (file, identity)
            }
            return state.lost
        }
        if lost > 0 { logger.error("Lines of the audit log could not be written", metadata: ["lines": "\(lost)"]) }
    }

    /// The correct digest of a line without one.
    package static func digest(of line: JSONObject) -> String {
        SHA256.hash(data: Data(JSONValue.object(line).text.utf8)).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        .joined()
    }

    /// Checks that lines follow each other as they were written.
    ///
    /// - Parameter lines: The lines of one file, or of several in the order in which they were written.
    /// - Returns: How many lines were read, and what is wrong with the first wrong line; nil if all are right.
    package static func check(_ lines: some Sequence<Substring>) -> (count: Int, fault: String?) {
        var previous: String?
        var count = 0
        for line in lines where !line.isEmpty {
            count += 1
            guard var object = (try? JSONValue(parsing: Array(line.utf8)))?.object,
                let digest = object["digest"]?.string
            else { return (count, "line \(count) is no line of an audit log") }
            object["digest"] = nil
            guard digest == Self.digest(of: object) else { return (count, "line \(count) was changed") }
            // The first line may continue a file that is not here. A line without `previous` begins a chain, as on
            // standard output after a start.
            if count > 1, object["previous"]?.string != previous {
                return (count, "lines are missing before line \(count)")
            }
            previous = digest
        }
        return (count, nil)
    }
}

package struct AuditLogError: Error, Sendable, CustomStringConvertible {
    var path: String
    var reason: String

    package var description: String { "the audit log \(path) cannot be opened: \(reason)" }
}
