import EyotContract
import Foundation
import PhoneSimulator

/// A comparison with the guesses that explain its differences, as text and as JSON.
public struct ComparisonReport: Sendable {
    /// The columns of ``rows``, for a table.
    public static let columns = ["line", "what", "observed", "simulated", "seconds", "verdict", "governedBy"]

    /// The comparison under the simulator's defaults.
    public let comparison: RecordingComparison
    /// Guesses that would remove a difference.
    public let trials: [RuleTrial]
    private let recording: Recording

    /// Compares a recording, and tries the guesses.
    ///
    /// - Throws: ``RecordingError`` if the recording has nothing to compare.
    public init(
        of recording: Recording, os: IOSVersion? = nil, tolerance: Double = RecordingComparison.defaultTolerance
    ) throws(RecordingError) {
        guard recording.lines.contains(where: { if case .saw = $0.content { true } else { false } }) else {
            throw RecordingError(reason: "nothing was observed, so there is nothing to compare")
        }
        self.recording = recording
        comparison = RecordingComparison(of: recording, os: os, tolerance: tolerance)
        trials = comparison.trials(of: recording, os: os, tolerance: tolerance)
    }

    /// Whether there are no differences.
    public var isEqual: Bool { comparison.differences.isEmpty }

    /// The rows as objects.
    public var rows: [JSONValue] {
        comparison.rows.map { row in
            var object = JSONObject([
                ("line", row.line.map(JSONValue.integer) ?? .null), ("at", .string(RFC3339.text(of: row.moment))),
                ("what", .string(row.what)), ("observed", row.observed.map(JSONValue.string) ?? .null),
                ("simulated", row.simulated.map(JSONValue.string) ?? .null),
                ("seconds", row.seconds.flatMap(JSONValue.finite) ?? .null),
                ("verdict", .string(row.verdict.rawValue)),
            ])
            if row.verdict == .differs {
                let mending = trials.filter { $0.mendedRows.contains(row.key) }.map(\.rule)
                object["mendedBy"] = .array(mending.map { .string($0) })
                object["governedBy"] = .array((mending.isEmpty ? row.subject.rules : mending).map { .string($0) })
            }
            return .object(object)
        }
    }

    /// The whole report as JSON.
    public var json: JSONValue {
        [
            "ios": .string(recording.head.os.description), "model": recording.head.model.map(JSONValue.string) ?? .null,
            "app": .string(recording.head.bundleID), "lines": .integer(recording.lines.count),
            "counts": .object(
                JSONObject(
                    RecordingComparison.Verdict.allCases.map { ($0.rawValue, .integer(comparison.count($0))) })),
            "rows": .array(rows), "pushes": .array(pushes),
            "trials": .array(
                trials.map {
                    ["rule": .string($0.rule), "mends": .integer($0.mended), "differences": .integer($0.differences)]
                }),
        ]
    }

    private var pushes: [JSONValue] {
        comparison.pushes.sorted { $0.key < $1.key }.map { line, effect in
            [
                "line": .integer(line), "effect": .string(effect.word),
                "explanation": effect.reason.map { .string($0.explanation) } ?? .null,
            ]
        }
    }

    /// The lines below the table.
    public var summary: [String] {
        let counts = RecordingComparison.Verdict.allCases.map { "\(comparison.count($0)) \(Self.words(for: $0))" }
        var lines = [counts.joined(separator: ", ")]
        for (line, effect) in comparison.pushes.sorted(by: { $0.key < $1.key }) {
            guard let reason = effect.reason else { continue }
            lines.append("line \(line): the simulated phone ignores this push: \(reason.explanation)")
        }
        lines += trials.map { trial in
            trial.differences == 0
                ? "\(trial.rule) alone would make everything equal"
                : "\(trial.rule) alone would mend \(trial.mended) and leave \(trial.differences)"
        }
        if !isEqual {
            lines.append(
                "Every rule and what is known of it: docs/internals/fidelity.md. What no rule governs is our mistake.")
        }
        return lines
    }

    private static func words(for verdict: RecordingComparison.Verdict) -> String {
        switch verdict {
        case .equal: "equal"
        case .differs: "different"
        case .notModelled: "not modelled"
        }
    }
}
