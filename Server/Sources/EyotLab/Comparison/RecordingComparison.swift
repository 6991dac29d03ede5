import Foundation
import PhoneSimulator

/// A comparison of ActivityKit on a phone with the simulated phone under the same actions, fact by fact.
///
/// An app receives sequences in parallel, so facts are compared within each sequence: the states of one card with the
/// states of that card. The comparison reads no clock and no file.
public struct RecordingComparison: Sendable {
    /// The result of comparing one fact.
    public enum Verdict: String, Sendable, Hashable, CaseIterable {
        /// The simulated phone shows the same, at the same time.
        case equal
        /// It shows something else, shows it at another time, or only one of the two shows anything.
        case differs
        /// The simulator does not model it, or it is about a card that the simulated phone does not have.
        case notModelled
    }

    /// One fact: observed, simulated or both.
    public struct Row: Sendable, Hashable {
        /// The recording's line; nil if nothing was observed.
        public var line: Int?
        /// The time of the observation, or of the simulation if nothing was observed.
        public var moment: Date
        /// The subject as text: `state of card 1`.
        public var what: String
        /// The recorded fact; nil if there is none.
        public var observed: String?
        /// The simulated fact; nil if there is none.
        public var simulated: String?
        /// How many seconds the observation came after the simulation; nil if one of the two is missing.
        public var seconds: Double?
        /// The result.
        public var verdict: Verdict
        /// The subject that the fact belongs to.
        public var subject: ObservedSubject

        /// The identity of the row in comparisons under other rules.
        var key: RowKey { RowKey(line: line, what: what, simulated: line == nil ? simulated : nil) }
    }

    struct RowKey: Hashable {
        var line: Int?
        var what: String
        var simulated: String?
    }

    /// How many seconds equal facts may differ in time by default.
    public static let defaultTolerance = 10.0

    /// The facts, in the order of their moments.
    public let rows: [Row]
    /// The effects of the pushes on the simulated phone, by line number.
    public let pushes: [Int: PushEffect]

    /// Compares a recording with the simulated phone.
    ///
    /// - Parameters:
    ///   - rules: the simulated phone's behaviour where Apple's documentation is silent.
    ///   - os: a version of iOS that replaces the recording's; nil keeps it.
    ///   - tolerance: how many seconds equal facts may differ in time.
    public init(
        of recording: Recording, under rules: PhoneRules = PhoneRules(), os: IOSVersion? = nil,
        tolerance: Double = defaultTolerance
    ) {
        let replay = RecordingReplay(of: recording, under: rules, os: os)
        let tracks = ObservedTracks(recording, replay)
        pushes = replay.effects
        rows = tracks.rows(tolerance: tolerance)
    }

    /// Returns how many rows have a verdict.
    public func count(_ verdict: Verdict) -> Int { rows.count { $0.verdict == verdict } }

    /// The rows that differ.
    public var differences: [Row] { rows.filter { $0.verdict == .differs } }
}
