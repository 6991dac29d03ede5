import ArgumentParser
import EyotContract
import EyotLab
import Foundation
import PhoneSimulator

struct LabCompare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compare a recording of a real phone with the simulated phone.",
        discussion: """
            The example app records the events of ActivityKit as JSON lines. The command repeats them on a simulated \
            phone with the times of the recording, and compares the results. For each difference it lists the \
            assumptions that explain it, and the changes that would remove it. Works without a server. Exit code 1 \
            means a difference, 2 that the file is not a recording.

            eyot lab compare recording.jsonl --ios 18.1
            """)

    @Argument(help: "The recording. - reads standard input.")
    var file: String

    @Option(
        help: "The version of iOS of the simulated phone, for example 18.1. (default: the version of the recording)",
        transform: Self.version)
    var ios: IOSVersion?

    @Option(help: "Seconds by which times may differ, 0 to 86400.")
    var tolerance = RecordingComparison.defaultTolerance

    @OptionGroup var output: LabOutput

    func validate() throws {
        guard (0...86_400).contains(tolerance) else { throw ValidationError("--tolerance is 0 to 86400 seconds.") }
    }

    func run() throws {
        guard let bytes = try Self.read(file) else {
            throw ValidationError("\(file) cannot be read: check the path and its permissions.")
        }
        let report: ComparisonReport
        do throws(RecordingError) {
            report = try ComparisonReport(of: Recording(reading: bytes), os: ios, tolerance: tolerance)
        } catch {
            throw ValidationError("\(file) is no recording: \(error)")
        }
        if output.json {
            Output.value(report.json, asJSON: true)
        } else {
            Output.table(Table(columns: ComparisonReport.columns, rows: report.rows, width: Terminal.output.width))
            for line in report.summary { Output.out(line) }
        }
        if !report.isEqual { throw ExitCode.failure }
    }

    @Sendable private static func version(_ text: String) throws -> IOSVersion {
        guard let version = IOSVersion(text) else {
            throw ValidationError("\(text) is no version of iOS, such as 18.1.")
        }
        return version
    }

    /// Reads a file, but stops one byte above the limit of a recording.
    private static func read(_ file: String) throws -> [UInt8]? {
        let handle = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
        guard let handle else { return nil }
        defer { try? handle.close() }
        var bytes: [UInt8] = []
        while bytes.count <= Recording.byteLimit {
            guard let part = try handle.read(upToCount: 1 << 20), !part.isEmpty else { break }
            bytes += part
        }
        return bytes
    }
}
