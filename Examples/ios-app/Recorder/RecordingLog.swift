import EyotContract
import Foundation
import PhoneSimulator

/// The two clocks of a recording.
nonisolated struct RecorderClock: Sendable {
    /// The phone's wall clock.
    var now: @Sendable () -> Date
    /// Seconds since the process began to record, by a monotonic clock.
    var uptime: @Sendable () -> Double

    /// The system's, from now on.
    static func system() -> RecorderClock {
        let start = ContinuousClock.now
        return RecorderClock(
            now: { Date() },
            uptime: {
                let passed = start.duration(to: .now).components
                return Double(passed.seconds) + Double(passed.attoseconds) / 1e18
            })
    }
}

/// The file that a recorder appends to, line by line. It is kept across launches, because the most interesting events
/// happen in a launch that a push causes.
///
/// Unchecked: `file`, `count` and `size` are used between lock and unlock only; the rest does not change.
nonisolated final class RecordingLog: @unchecked Sendable {
    /// The newest lines, for one reader.
    let lines: AsyncStream<RecordedLine>

    private let clock: RecorderClock
    private let lock = NSLock()
    private let file: FileHandle
    private var count: Int
    private var size: Int
    private let announcer: AsyncStream<RecordedLine>.Continuation

    /// Opens a file, or makes it with `head` as its first line.
    init(at url: URL, head: @autoclosure () -> RecordingHead, clock: RecorderClock = .system()) throws {
        if !FileManager.default.fileExists(atPath: url.path) { try Data(Recording(head: head()).bytes).write(to: url) }
        self.clock = clock
        file = try FileHandle(forUpdating: url)
        let written = try file.readToEnd() ?? Data()
        (count, size) = (written.count { $0 == UInt8(ascii: "\n") }, written.count)
        (lines, announcer) = AsyncStream.makeStream(of: RecordedLine.self, bufferingPolicy: .bufferingNewest(1_000))
    }

    deinit { announcer.finish() }

    /// Appends a line. Nothing more is written once the file is as large as a reader takes it.
    func append(_ content: RecordedLine.Content) {
        lock.lock()
        defer { lock.unlock() }
        // The first line is the head, which is not counted.
        guard count <= Recording.lineLimit else { return }
        var line = RecordedLine(time: clock.now(), uptime: clock.uptime(), content)
        var bytes = line.json.utf8
        if bytes.count >= Recording.lineByteLimit {
            line = RecordedLine(
                time: line.time, uptime: line.uptime, .saw(.other("a line of \(bytes.count) bytes was left out")))
            bytes = line.json.utf8
        }
        guard size + bytes.count < Recording.byteLimit else { return }
        do {
            try file.write(contentsOf: Data(bytes + [UInt8(ascii: "\n")]))
            (count, size) = (count + 1, size + bytes.count + 1)
            announcer.yield(line)
        } catch {
            // The disk is full. A recording with a hole proves nothing, so it ends here.
            count = .max
        }
    }
}
