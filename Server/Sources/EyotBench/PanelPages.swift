import EyotCommands
import EyotContract
import EyotDomain
import Foundation

/// A measurement of the panel in a store with very many cards and events: how long each page takes at the server, and
/// what pages cost that stay open.
public struct PanelPages: Sendable {
    /// The number of cards of the activity.
    public var cards: Int
    /// The number of events.
    public var events: Int
    /// The number of pages that stay open.
    public var viewers: Int
    /// The number of rounds.
    public var rounds: Int

    private static let name = "final"
    private static let goal = 100.0
    /// Calls of a page in a round.
    private static let calls = 20
    /// Seconds for which pages stay open in a round. The activity changes once in each.
    private static let seconds = 10
    private static let file = "/panel/activities/{name}/versions/{version}/csv"
    /// The value of each parameter of a path.
    private static let parameters = [
        "{name}": name, "{type}": BenchStore.type, "{externalID}": "user", "{kind}": "card.dismissed",
        "{version}": "1",
    ]
    /// The questions of pages that show nothing without one.
    private static let questions = [
        "/panel/why": "device=77", "/panel/people": "q=user", "/panel/search": "q=anything",
        "/panel/log": "tab=errors",
    ]

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - cards: 1,000 or more.
    ///   - events: 200,000 or more.
    ///   - viewers: 1 to 2,000.
    ///   - rounds: 1 or more.
    public init(cards: Int, events: Int, viewers: Int, rounds: Int) {
        (self.cards, self.events, self.viewers, self.rounds) = (cards, events, viewers, rounds)
    }

    /// What a second of open pages cost.
    private struct Second: Sendable {
        var cpu: Double
        var wakeUps: Double
        var reads: Double
        var bytes: Double
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        progress("filling a store with \(cards) cards")
        let bench = try await BenchStore()
        try await bench.fill(Self.name, replicas: cards)
        try await bench.addStartable(cards + 1..<cards + 11, of: "user") { "\($0)" }
        progress("recording \(events) events")
        try await bench.record(events: events, of: Self.name, cards: cards)
        let key = try await bench.makeKey()
        var report = BenchReport(name: "panel", rounds: rounds)
        report.add("cards", Double(cards), "")
        report.add("events", Double(events), "")
        try await bench.withPanel { panel in
            let operation = try await furnish(panel.port, key)
            try await addPages(of: panel, operation, to: &report, progress)
            try await addOpenPages(of: panel, key, to: &report, progress)
        }
        report.addPeakMemory()
        try await bench.remove()
        return report
    }

    // MARK: Pages

    private func addPages(
        of panel: ServedPanel, _ operation: String, to report: inout BenchReport, _ progress: (String) -> Void
    ) async throws {
        // The file of all phones is as long as they are many. `history` measures what it is read in.
        let pages = panel.pages.filter { $0 != Self.file }.sorted()
        for pattern in pages {
            let path = Self.path(of: pattern, operation)
            var slowest: [Double] = []
            for _ in 1...rounds {
                let load = await HTTPLoad(port: panel.port, connections: 1).timed(calls: Self.calls) { _ in
                    panel.call(path)
                }
                guard load.answered == Self.calls else { throw BenchError.missing(path) }
                slowest.append(BenchReport.quantile(1, of: load.waits) * 1_000)
            }
            report.add("\(pattern): slowest of \(Self.calls)", slowest, "ms", goal: .atMost(Self.goal))
        }
        progress("\(pages.count) pages measured")
    }

    private static func path(of pattern: String, _ operation: String) -> String {
        var path = parameters.reduce(pattern) { $0.replacing($1.key, with: $1.value) }
        let id = path.hasPrefix("/panel/operations") ? operation : path.hasPrefix("/panel/devices") ? "77" : "1"
        path = path.replacing("{id}", with: id)
        return questions[path].map { "\(path)?\($0)" } ?? path
    }

    // MARK: Open pages

    private func addOpenPages(
        of panel: ServedPanel, _ key: Secret, to report: inout BenchReport, _ progress: (String) -> Void
    ) async throws {
        var costs: [Int: [Second]] = [:]
        for round in 1...rounds {
            for viewers in [0, 1, viewers] {
                costs[viewers, default: []].append(try await watch(panel, viewers, key))
            }
            progress("open pages, round \(round) of \(rounds)")
        }
        for viewers in [0, 1, viewers] {
            let seconds = costs[viewers] ?? []
            let name = "\(viewers) open pages"
            report.add("\(name): reads a second", seconds.map(\.reads), "")
            report.add("\(name): threads woken a second", seconds.map(\.wakeUps), "")
            report.add("\(name): CPU", seconds.map { $0.cpu * 100 }, "%")
            report.add("\(name): KB a second", seconds.map { $0.bytes / 1_000 }, "")
        }
    }

    /// Keeps pages open while the activity changes once a second.
    private func watch(_ panel: ServedPanel, _ viewers: Int, _ key: Secret) async throws -> Second {
        let call = panel.call("/panel/live?topic=activity%20\(Self.name)")
        guard let pages = OpenPages(viewers, port: panel.port, call: call) else {
            throw BenchError.missing("open pages")
        }
        // Each page gets everything once. What follows are changes.
        try await Task.sleep(for: .seconds(3))
        let (usage, counted, bytes) = (ProcessUsage.now, panel.store.counted, pages.bytes)
        for second in 0..<Self.seconds {
            try await update(second, panel.port, key)
            try await Task.sleep(for: .seconds(1))
        }
        let used = ProcessUsage.now - usage
        let cost = Second(
            cpu: used.cpu / Double(Self.seconds), wakeUps: Double(used.wakeUps) / Double(Self.seconds),
            reads: Double(panel.store.counted.reads - counted.reads) / Double(Self.seconds),
            bytes: Double(pages.bytes - bytes) / Double(Self.seconds))
        pages.leave()
        return cost
    }

    // MARK: What the pages show

    private func update(_ number: Int, _ port: Int, _ key: Secret) async throws {
        _ = try await Self.send(
            "PUT", "/v1/activities/\(Self.name)",
            ["contentState": ["homeScore": .integer(number), "awayScore": 0, "clock": .string("\(number)")]], port, key)
    }

    /// Gives the pages something to show.
    ///
    /// - Returns: The id of an operation.
    private func furnish(_ port: Int, _ key: Secret) async throws -> String {
        let state: JSONValue = [
            "type": "object",
            "properties": [
                "homeScore": ["type": "integer"], "awayScore": ["type": "integer"], "clock": ["type": "string"],
            ], "required": ["homeScore", "awayScore", "clock"],
        ]
        _ = try await Self.send(
            "PUT", "/v1/types/\(BenchStore.type)/schemas",
            ["builds": ["1"], "schema": ["attributes": ["type": "object"], "contentState": state]], port, key)
        _ = try await Self.send("PUT", "/v1/segments/\(Self.name)", ["audience": ["user": "user"]], port, key)
        _ = try await Self.send(
            "PUT", "/v1/definitions/\(Self.name)",
            ["declaration": ["contentState": ["homeScore": 1, "awayScore": 0, "clock": "23"]]], port, key)
        _ = try await Self.send(
            "POST", "/v1/webhooks",
            ["name": "receiver", "url": "https://receiver.example.org/eyot", "types": ["operation.*"]], port,
            key)
        try await update(0, port, key)
        let started = try await Self.send(
            "POST", "/v1/activities/other/start",
            [
                "type": .string(BenchStore.type), "attributes": ["home": "A", "away": "B"],
                "contentState": ["homeScore": 0, "awayScore": 0, "clock": "1"], "audience": ["user": "user"],
                "alert": ["title": "Match", "body": "It begins"],
            ], port, key)
        return started.object?["operation"]?.string ?? ""
    }

    private static func send(
        _ method: String, _ path: String, _ body: JSONValue, _ port: Int, _ key: Secret
    ) async throws -> JSONValue {
        let bytes = body.utf8
        let head = [
            "\(method) \(path) HTTP/1.1", "Host: localhost", "Authorization: Bearer \(key.text)",
            "Content-Type: application/json", "Content-Length: \(bytes.count)", "", "",
        ]
        let call = Array(head.joined(separator: "\r\n").utf8) + bytes
        let answers = await HTTPLoad(port: port, connections: 1).answers(calls: 1) { _ in call }
        guard let answer = answers[0], answer.isSuccess else {
            throw BenchError.missing("\(path): \(String(decoding: answers[0]?.body ?? [], as: UTF8.self))")
        }
        return (try? JSONValue(parsing: answer.body)) ?? .null
    }
}
