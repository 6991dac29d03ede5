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
/// it. The first line of a new chain has no `previous`. A line that a crash or a full disk has cut stays where it is,
/// and the next line has its SHA-256 as `torn`.
package final class AuditLog: Sendable {
    private struct State {
        var file: FileHandle
        /// The number of the file as it was opened; nil for standard output.
        var identity: UInt64?
        var previous: String?
        /// The digest of the cut line at the end of the file; nil if the last line is whole.
        var torn: String?
        /// Whether the end of the file has to be read before the next line, because a write has failed.
        var isUnsure = false
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
        let end = try Self.end(of: path)
        state = Mutex(State(file: file, identity: identity, previous: end.digest, torn: end.torn))
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

    /// The digest of the last whole line, and that of a cut line behind it.
    private static func end(of path: String) throws -> (digest: String?, torn: String?) {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let end = try file.seekToEnd()
        try file.seek(toOffset: end > tail ? end - tail : 0)
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        var (torn, lines) = ([Substring](), text.split(separator: "\n"))
        while let line = lines.popLast() {
            if let digest = members(of: line)?.digest { return (digest, self.digest(ofTorn: torn)) }
            torn.insert(line, at: 0)
        }
        return (nil, digest(ofTorn: torn))
    }

    /// The members of a whole line and its digest; nil for a cut one.
    private static func members(of line: Substring) -> (line: JSONObject, digest: String)? {
        guard var object = (try? JSONValue(parsing: Array(line.utf8)))?.object, let digest = object["digest"]?.string
        else { return nil }
        object["digest"] = nil
        return (object, digest)
    }

    /// The digest of cut lines; nil for none. Several follow each other if several writes fail.
    private static func digest(ofTorn lines: [Substring]) -> String? {
        lines.isEmpty ? nil : hexDigest(of: Data(lines.joined(separator: "\n").utf8))
    }

    /// Writes a line, or counts it as lost if it cannot be written.
    package func write(_ line: JSONObject) {
        state.withLock { state in
            if state.isUnsure, let path, let end = try? Self.end(of: path) {
                (state.previous, state.torn, state.isUnsure) = (end.digest ?? state.previous, end.torn, false)
            }
            var line = line
            line["torn"] = state.torn.map(JSONValue.string)
            line["previous"] = state.previous.map(JSONValue.string)
            let digest = Self.digest(of: line)
            line["digest"] = .string(digest)
            do {
                let text = (state.torn == nil ? "" : "\n") + JSONValue.object(line).text + "\n"
                try state.file.write(contentsOf: Data(text.utf8))
                (state.previous, state.torn) = (digest, nil)
            } catch {
                state.lost += 1
                state.isUnsure = true
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
        hexDigest(of: Data(JSONValue.object(line).text.utf8))
    }

    private static func hexDigest(of bytes: Data) -> String {
        SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Checks that lines follow each other as they were written.
    ///
    /// - Parameter lines: The lines of one file, or of several in the order in which they were written.
    /// - Returns: How many lines were read, and what is wrong with the first wrong line; nil if all are right.
    package static func check(_ lines: some Sequence<Substring>) -> (count: Int, fault: String?) {
        var previous: String?
        var (torn, count) = ([Substring](), 0)
        var noLine: String { "line \(count - torn.count + 1) is no line of an audit log" }
        for line in lines where !line.isEmpty {
            count += 1
            guard let (object, digest) = members(of: line) else {
                torn.append(line)
                continue
            }
            if object["torn"]?.string != Self.digest(ofTorn: torn) {
                count -= 1
                return torn.isEmpty ? (count + 1, "lines are missing before line \(count + 1)") : (count, noLine)
            }
            torn = []
            guard digest == Self.digest(of: object) else { return (count, "line \(count) was changed") }
            // The first line may continue a file that is not here. A line without `previous` begins a chain, as on
            // standard output after a start.
            if count > 1, object["previous"]?.string != previous {
                return (count, "lines are missing before line \(count)")
            }
            previous = digest
        }
        return (count, torn.isEmpty ? nil : noLine)
    }
}

package struct AuditLogError: Error, Sendable, CustomStringConvertible {
    var path: String
    var reason: String

    package var description: String { "the audit log \(path) cannot be opened: \(reason)" }
}
