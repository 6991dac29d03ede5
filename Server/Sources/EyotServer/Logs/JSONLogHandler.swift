import EyotContract
import EyotDomain
import Foundation
import Logging

/// A log handler that writes one JSON object on each line.
///
/// The members are `time`, `level`, `logger` and `message`, and then the metadata under its own names. A name of the
/// metadata that is one of these four gets an underscore at its end.
package struct JSONLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    private let label: String
    private let now: @Sendable () -> Instant
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - now: The time of a line.
    ///   - write: Receives each line with its end.
    package init(
        label: String,
        now: @escaping @Sendable () -> Instant = {
            Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        },
        write: @escaping @Sendable (String) -> Void = Self.writeToStandardError
    ) {
        self.label = label
        self.now = now
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var line = JSONObject([
            ("time", .string(now().rfc3339)), ("level", .string(event.level.rawValue)), ("logger", .string(label)),
            ("message", .string(event.message.description)),
        ])
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            line[Self.reserved.contains(name) ? name + "_" : name] = Self.json(value)
        }
        if let error = event.error, line["error"] == nil { line["error"] = .string("\(error)") }
        write(JSONValue.object(line).text + "\n")
    }

    private static let reserved: Set<String> = ["time", "level", "logger", "message"]

    private static func json(_ value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let text): .string(text.description)
        case .array(let values): .array(values.map(json))
        case .dictionary(let values):
            .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) }))
        }
    }

    /// Writes a line in one call, so that lines of several threads do not mix.
    package static let writeToStandardError: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data(line.utf8))
    }
}
