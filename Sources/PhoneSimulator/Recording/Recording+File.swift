import EyotContract
import Foundation

/// The reason why a file is no recording, with its line.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Counts from 1; nil for the file as a whole.
    public var line: Int?
    /// The reason.
    public var reason: String

    /// An error.
    public init(line: Int? = nil, reason: String) {
        self.line = line
        self.reason = reason
    }

    /// Line and reason.
    public var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}

extension Recording {
    /// The file.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for value in [head.json] + lines.map(\.json) {
            value.write(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// Reads a file.
    ///
    /// Its lines need not be in order. For a line added by hand, without `uptime`, its time decides its place.
    ///
    /// - Throws: ``RecordingError``.
    public init(reading bytes: [UInt8]) throws(RecordingError) {
        guard bytes.count <= Self.byteLimit else {
            throw RecordingError(reason: "the file has more than \(Self.byteLimit) bytes")
        }
        var head: RecordingHead?
        var lines: [RecordedLine] = []
        for (index, text) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard !text.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) else { continue }
            let value = try Self.value(of: text, line: index + 1)
            do throws(JSONFieldError) {
                if head == nil {
                    head = try RecordingHead(json: value)
                } else {
                    var line = try RecordedLine(json: value)
                    line.number = index + 1
                    lines.append(line)
                }
            } catch {
                throw RecordingError(line: index + 1, reason: "\(error)")
            }
            guard lines.count <= Self.lineLimit else {
                throw RecordingError(line: index + 1, reason: "more than \(Self.lineLimit) lines")
            }
        }
        guard let head else { throw RecordingError(reason: "the file is empty") }
        self.init(head: head, lines: try Self.ordered(lines))
    }

    private static func value(of text: ArraySlice<UInt8>, line: Int) throws(RecordingError) -> JSONValue {
        guard text.count <= lineByteLimit else {
            throw RecordingError(line: line, reason: "more than \(lineByteLimit) bytes")
        }
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: text)
        } catch {
            throw RecordingError(line: line, reason: "this is no JSON: \(error)")
        }
    }

    /// Returns the lines in order, with their moments. The wall clock counts at each launch; from there
    /// ``RecordedLine/uptime`` does.
    static func ordered(_ lines: [RecordedLine]) throws(RecordingError) -> [RecordedLine] {
        var lines = lines
        var launch: (time: Date, uptime: Double)?
        var last: (moment: Date, uptime: Double)?
        for index in lines.indices {
            guard let uptime = lines[index].uptime else { continue }
            if case .did(.launch) = lines[index].content {
                // The wall clock may have been set back after the last line of the previous process.
                launch = (max(lines[index].time, last?.moment ?? .distantPast), uptime)
                last = launch.map { ($0.time, uptime) }
            }
            guard let launch else {
                throw RecordingError(line: lines[index].number, reason: "stands before the first launch of the app")
            }
            if let last, uptime < last.uptime {
                throw RecordingError(
                    line: lines[index].number, reason: "uptime goes back; it counts from the launch on")
            }
            lines[index].moment = launch.time.addingTimeInterval(uptime - launch.uptime)
            last = (lines[index].moment, uptime)
        }
        // The sort is stable: lines of one moment stay in the order of the file.
        return lines.sorted { $0.moment < $1.moment }
    }
}
