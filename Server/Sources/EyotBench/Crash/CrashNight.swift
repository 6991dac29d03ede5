import EyotContract
import EyotDomain
import EyotLab
import Foundation

/// A player of the script: it declares, kills and starts again.
struct CrashNight: Sendable {
    static let name = "final"
    /// The most seconds for any expected event.
    private static let patience = 240.0

    let lab: Lab
    let crowd: Crowd
    let script: CrashScript
    let seed: UInt64

    /// Returns a phone's secret for calls of the server.
    static let secret: @Sendable (Int) -> String = { number in
        "eyot_dk_" + String(repeating: "A", count: 43 - "\(number)".count) + "\(number)"
    }

    private static func user(_ wave: Range<Int>) -> String { "wave-\(wave.lowerBound)" }

    func fill() async throws {
        await lab.stopServer()
        let bench = try await BenchStore(
            of: await lab.description.database, bundleID: LabConfiguration.bundleID)
        try await bench.fill(Self.name, replicas: script.running.count)
        for wave in script.rounds.compactMap(\.wave) {
            try await bench.addStartable(wave, of: Self.user(wave), secret: Self.secret)
        }
        try await bench.remove()
        try await lab.startServer()
    }

    func play(_ number: Int, _ trace: inout CrashTrace) async throws {
        let round = script.rounds[number]
        // An end cancels the starts that have not left, as it should. Here each start must leave.
        if round.ends { try await rest(trace) }
        let before = crowd.counts
        // Calls are fixed before they are made. A call without an answer is repeated and acts once.
        let calls = calls(of: round, after: trace.declared)
        async let answered = answers(to: calls[...])
        try await moment(round.moment, after: before)
        await lab.killServer()
        trace.killed(crowd.counts)
        let begin = ContinuousClock.now
        try await lab.startServer()
        trace.restarted(after: begin.duration(to: .now).seconds)
        // Phones that could not report try again.
        crowd.changes.signal()
        var operations = try await answered
        if operations.count < calls.count {
            operations += try await answers(to: calls[operations.count...])
        }
        guard operations.count == calls.count else { throw BenchError.stuck("the server after kill \(number + 1)") }
        for operation in operations { trace.took(operation) }
        if round.isAwaited {
            let newest = trace.declared
            try await wait("everybody") { crowd.everybodyShows(newest) }
        }
    }

    /// Waits until the newest operation is completed.
    func rest(_ trace: CrashTrace) async throws {
        guard let operation = trace.operation else { return }
        try await ask("the end", APIClient.path("v1", "operations", operation)) { $0?["completedAt"] != nil }
    }

    /// Waits until the server has ended each card that the phones have. A token that was reported late is a live card
    /// for the server until the end is pushed to it, though its phone got the end as the report's answer.
    func settle() async throws {
        let cards = crowd.phones.count(where: \.hasCard)
        try await ask("the end of each card", APIClient.path("v1", "activities", Self.name)) {
            ($0?["phases"]?.object?["ended"]?.integer ?? 0) >= cards
        }
    }

    /// Asks the server until its answer is the awaited one.
    private func ask(_ what: String, _ path: String, until isAwaited: (JSONObject?) -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(Self.patience)
        while !isAwaited(try await lab.api.call("GET", path).body.object) {
            guard ContinuousClock.now < end else { throw BenchError.stuck(what) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    // MARK: The moment

    private func moment(_ moment: CrashScript.Moment, after before: Crowd.Counts) async throws {
        switch moment {
        case .pushes(let count):
            try await wait("\(count) pushes") { crowd.counts.pushes >= before.pushes + count }
        case .starts(let count):
            try await wait("\(count) starts") { crowd.counts.starts >= before.starts + count }
        case .afterCalls(let milliseconds), .afterRestart(let milliseconds):
            try await Task.sleep(for: .milliseconds(milliseconds))
        }
    }

    private func wait(_ what: String, for condition: @escaping @Sendable () -> Bool) async throws {
        let isThere = try await within(seconds: Self.patience) {
            let signals = crowd.changes.stream()
            if condition() { return }
            for await _ in signals where condition() { return }
        }
        guard isThere else { throw BenchError.stuck(what) }
    }

    // MARK: Calls

    private struct Call: Sendable {
        var verb: String
        var key: String
        var body: JSONValue
    }

    private func calls(of round: CrashScript.Round, after declared: Int) -> [Call] {
        guard let wave = round.wave else { return [] }
        func call(_ verb: String, _ number: Int, _ members: [(String, JSONValue)] = []) -> Call {
            let state: [(String, JSONValue)] = [("contentState", ["n": .integer(number)])]
            return Call(verb: verb, key: "crash-\(seed)-\(number)", body: .object(JSONObject(state + members)))
        }
        if round.ends { return [call("end", declared + 1)] }
        let start: [(String, JSONValue)] = [
            ("type", .string(BenchStore.type)), ("attributes", ["home": "ARG", "away": "FRA"]),
            ("audience", ["user": .string(Self.user(wave))]), ("alert", ["title": "Kick-off", "body": "Now"]),
        ]
        return [call("start", declared + 1, start), call("update", declared + 2)]
    }

    /// Returns the operations of the answered calls, up to the first call without an answer.
    private func answers(to calls: ArraySlice<Call>) async throws -> [String?] {
        var operations: [String?] = []
        for call in calls {
            let path = APIClient.path("v1", "activities", Self.name, call.verb)
            let answer: APIClient.Answer
            do {
                answer = try await lab.api.call(
                    "POST", path, body: call.body, headers: ["Idempotency-Key": call.key])
            } catch is APIClient.Failure {
                return operations
            }
            guard answer.status == 202 else { throw BenchError.refused(call: call.verb, reason: answer.problem) }
            operations.append(answer.body.object?["operation"]?.string)
        }
        return operations
    }
}
