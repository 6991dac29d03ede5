import Foundation
import PhoneSimulator

/// What ActivityKit did on a phone, fact by fact beside what the simulated phone does under the same actions.
///
/// Sequences come to an app side by side, so facts are compared within each of them and not across: the states of one card
/// with the states of that card. It reads no clock and no file.
public struct RecordingComparison: Sendable {
    /// What a comparison of one fact comes to.
    public enum Verdict: String, Sendable, Hashable, CaseIterable {
        /// The simulated phone shows the same, at the same time.
        case equal
        /// It shows something else, at another time, or one of the two shows nothing.
        case differs
        /// The simulator has no word for it, or it is about a card that the simulated phone does not have.
        case notModelled
    }

    /// One fact, observed, simulated or both.
    public struct Row: Sendable, Hashable {
        /// The recording's line; nil where nothing was observed.
        public var line: Int?
        /// When it was observed, or else simulated.
        public var moment: Date
        /// What it is about: `state of card 1`.
        public var what: String
        /// What the recording has; nil for nothing.
        public var observed: String?
        /// What the simulated phone shows; nil for nothing.
        public var simulated: String?
        /// How much later it was observed than simulated, in seconds; nil where one of the two is missing.
        public var seconds: Double?
        /// What that comes to.
        public var verdict: Verdict
        /// Which of the app's sequences and answers it belongs to.
        public var subject: ObservedSubject

        /// The same row in a comparison under other rules.
        var key: RowKey { RowKey(line: line, what: what, simulated: line == nil ? simulated : nil) }
    }

    struct RowKey: Hashable {
        var line: Int?
        var what: String
        var simulated: String?
    }

    /// Seconds by which the same thing may come at another time, unless somebody says otherwise.
    public static let defaultTolerance = 10.0

    /// The facts, in the order of their moments.
    public let rows: [Row]
    /// What became of the pushes on the simulated phone, by the numbers of their lines.
    public let pushes: [Int: PushEffect]

    /// Compares.
    ///
    /// - Parameters:
    ///   - rules: what the simulated phone does where Apple's documentation is silent.
    ///   - os: another version of iOS than the recording's.
    ///   - tolerance: seconds by which the same thing may come earlier or later and still be equal.
    public init(
        of recording: Recording, under rules: PhoneRules = PhoneRules(), os: IOSVersion? = nil,
        tolerance: Double = defaultTolerance
    ) {
        let replay = RecordingReplay(of: recording, under: rules, os: os)
        let tracks = ObservedTracks(recording, replay)
        pushes = replay.effects
        rows = tracks.rows(tolerance: tolerance)
    }

    /// How many rows have a verdict.
    public func count(_ verdict: Verdict) -> Int { rows.count { $0.verdict == verdict } }

    /// The rows that differ.
    public var differences: [Row] { rows.filter { $0.verdict == .differs } }
}
