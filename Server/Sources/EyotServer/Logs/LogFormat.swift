import Logging

/// The form of the log on standard error.
package enum LogFormat: String, Sendable, CaseIterable {
    /// Lines for people.
    case text
    /// A JSON object on each line.
    case json

    /// Makes the handler of a logger.
    package func handler(label: String, threshold: LogThreshold) -> any LogHandler {
        let handler: any LogHandler =
            switch self {
            case .text: StreamLogHandler.standardError(label: label)
            case .json: JSONLogHandler(label: label)
            }
        return ThresholdLogHandler(handler, threshold: threshold)
    }
}
