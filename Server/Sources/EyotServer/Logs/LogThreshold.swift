import Logging
import Synchronization

/// The least level of lines in the log. All loggers of a process share it, and it changes while they run.
package final class LogThreshold: Sendable {
    /// The index of the level among all levels.
    private let index: Atomic<Int>

    package init(_ level: Logger.Level) { index = Atomic(Self.index(of: level)) }

    package var level: Logger.Level {
        get { Logger.Level.allCases[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }
}

/// A log handler with the level of a ``LogThreshold``, unless its logger has a level of its own.
struct ThresholdLogHandler: LogHandler {
    private var inner: any LogHandler
    private let threshold: LogThreshold
    private var own: Logger.Level?

    init(_ inner: any LogHandler, threshold: LogThreshold) {
        (self.inner, self.threshold) = (inner, threshold)
    }

    var logLevel: Logger.Level {
        get { own ?? threshold.level }
        set { own = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) { inner.log(event: event) }
}
