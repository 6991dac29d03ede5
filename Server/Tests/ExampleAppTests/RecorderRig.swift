import APNSWire
import EyotContract
import EyotKit
import EyotLab
import Foundation
import PhoneSimulator
import Synchronization
import Testing

/// The example's recorder in an app on a simulated phone, with a clock that stands until it is moved.
final class RecorderRig: Sendable {
    let phone: SimulatedPhone
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jsonl")
    private let clock = StoppedClock()
    private let head: RecordingHead

    init(os: IOSVersion = IOSVersion(18, 1), rules: PhoneRules = PhoneRules()) {
        phone = SimulatedPhone(
            PhoneConfiguration(
                id: "phone-1", os: os, bundleID: "org.example.cards", types: [.decoding(MatchAttributes.self)],
                rules: rules),
            clock: { [clock] in clock.now })
        head = RecordingHead(os: os, bundleID: "org.example.cards", types: [.of(MatchAttributes.self)])
    }

    deinit { try? FileManager.default.removeItem(at: file) }

    func advance(by seconds: Double) {
        clock.advance(by: seconds)
        phone.advance()
    }

    /// One process of the app, recorded from its beginning. Afterwards the system has ended it.
    func run(_ run: AppRun = .foreground, _ body: (ActivityRecorder) async throws -> Void) async throws {
        let log = try RecordingLog(
            at: file, head: head,
            clock: RecorderClock(now: { [clock] in clock.now }, uptime: { [clock] in clock.uptime }))
        let recorder = ActivityRecorder(log: log, os: head.os)
        let process = try #require(run == .foreground ? phone.launch() : phone.process)
        try await PhoneProcess.$current.withValue(process) {
            await recorder.launched(run)
            await recorder.follow(MatchAttributes.self)
            try await body(recorder)
        }
        recorder.stop()
        recorder.note(.person(.terminate))
        phone.terminateBySystem()
    }

    /// Waits until every card is followed and the recording is complete. It is complete when it has as many
    /// observations as a phone with these rules makes of what was done.
    func settle(_ recorder: ActivityRecorder) async throws {
        // Nothing happens by it; it says how late it is.
        recorder.note(.person(.online))
        if try isSettled { return }
        for await _ in recorder.log.lines where try isSettled { return }
    }

    private var isSettled: Bool {
        get throws {
            let recording = try recording
            let facts = recording.lines.compactMap { if case .saw(let fact) = $0.content { fact } else { nil } }
            let listens = recording.lines.count { line in
                if case .did(.listen(let sequence)) = line.content { sequence.card != nil } else { false }
            }
            // States, contents and tokens.
            guard listens == 3 * Set(facts.compactMap(\.card)).count else { return false }
            return facts.count >= RecordingReplay(of: recording, under: phone.configuration.rules).facts.count
        }
    }

    /// Pushes to a card, and notes the push as its sender would.
    @discardableResult
    func push(
        _ event: String, to card: String? = nil, _ state: JSONValue, _ extra: [(String, JSONValue)] = [],
        noting recorder: ActivityRecorder?, stamped seconds: Double = 0
    ) throws -> PushEffect {
        var aps = JSONObject([
            ("timestamp", .integer(Int(clock.now.timeIntervalSince1970 + seconds))), ("event", .string(event)),
            ("content-state", state),
        ])
        for (name, value) in extra { aps[name] = value }
        let payload: JSONValue = ["aps": .object(aps)]
        let noted = RecordedAction.push(RecordedPush(to: card.map { .card($0) } ?? .start, payload: payload))
        if let recorder { recorder.note(noted) } else { try append(noted) }
        let token = card == nil ? phone.state.startToken : card.flatMap { phone.state.card($0)?.updateToken }
        return phone.receive(
            DeliveredPush(
                token: try #require(token), topic: "org.example.cards.push-type.liveactivity", payload: payload.utf8))
    }

    /// Appends an action to the file, as a person does by hand.
    private func append(_ action: RecordedAction) throws {
        let line = RecordedLine(time: clock.now, .did(action))
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data((line.json.text + "\n").utf8))
        try handle.close()
    }

    private var recording: Recording {
        get throws { try Recording(reading: Array(Data(contentsOf: file))) }
    }

    func report() throws -> ComparisonReport { try ComparisonReport(of: recording) }
}

/// A clock that stands until it is moved.
private final class StoppedClock: Sendable {
    private let seconds = Mutex(0.0)

    var uptime: Double { seconds.withLock { $0 } }
    var now: Date { Date(timeIntervalSince1970: 1_671_375_600 + uptime) }

    func advance(by seconds: Double) { self.seconds.withLock { $0 += seconds } }
}

extension MatchAttributes {
    static let final = MatchAttributes(eyotActivityName: "final", home: "ARG", away: "FRA")

    static func content(_ score: Int, staleDate: Date? = nil) -> ActivityContent<ContentState> {
        ActivityContent(state: ContentState(homeScore: score, awayScore: 0, clock: "\(score)'"), staleDate: staleDate)
    }

    static func state(_ score: Int) -> JSONValue {
        ["homeScore": .integer(score), "awayScore": 0, "clock": .string("\(score)'"), "lastEvent": nil]
    }
}
