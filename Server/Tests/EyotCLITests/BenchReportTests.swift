import EyotContract
import Foundation
import Testing

@testable import EyotBench

@Suite struct `What a measurement says` {
    /// Of four rounds, and of one.
    private var report: BenchReport {
        var report = BenchReport(name: "sleep", rounds: 4)
        report.add("sheep", 1_234, "")
        report.add("from the bed to sleep", [4, 1, 2.5, 100], "s")
        report.add("each", [Cost(ProcessUsage(cpu: 1, bytesWritten: 2_000), of: 1_000)])
        return report
    }

    @Test func `A line for each figure: the median, and the lowest and highest of several rounds`() {
        let lines = report.lines
        #expect(lines.first?.hasPrefix("sleep: median of 4 rounds (lowest to highest), ") == true)
        let figures = lines.dropFirst().map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            figures == [
                "sheep 1234", "from the bed to sleep 3.25 s (1 to 100)", "each: CPU 1000 µs", "each: written 2 bytes",
            ])
        #expect(Set(lines.dropFirst().map { $0.prefix(23).last }) == [" "], "they stand below each other")
    }

    @Test func `An object with all values for programs`() throws {
        let object = try #require(report.json.object)
        #expect(object["name"]?.string == "sleep")
        #expect(object["rounds"]?.integer == 4)
        #expect(object["machine"]?.string == BenchReport.machine)
        let figure = try #require(object["figures"]?.array?[1].object)
        #expect(figure["name"]?.string == "from the bed to sleep")
        #expect(figure["unit"]?.string == "s")
        #expect(figure["median"]?.text == "3.25")
        #expect(figure["values"]?.text == "[4,1,2.50,100]")
    }

    @Test func `A goal stands beside its figure, for people and for programs`() throws {
        var report = BenchReport(name: "sleep", rounds: 2)
        report.add("hours", [7, 9], "h", goal: .atLeast(7.5))
        report.add("times woken", 0.5, "", goal: .atMost(1))
        let lines = report.lines.dropFirst().map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines == ["hours 8 h (7 to 9); goal: at least 7.50 h", "times woken 0.500; goal: at most 1"])
        let figures = try #require(report.json.object?["figures"]?.array)
        #expect(figures.map { $0.object?["goal"]?.text } == [#"{"atLeast":7.50}"#, #"{"atMost":1}"#])
        #expect(self.report.json.text.contains("goal") == false, "where there is none nothing is said")
    }

    @Test(
        "Three digits that matter, or all of a whole number; what could not be measured is null",
        arguments: [
            (1_234_567.8, "1234568"), (123.4, "123"), (12.34, "12.3"), (1.234, "1.23"), (0.123_4, "0.123"), (7, "7"),
            (0.004_78, "0.00478"), (-0.000_012_34, "-0.0000123"), (0, "0"), (.nan, "null"), (.infinity, "null"),
        ] as [(Double, String)])
    func digits(_ value: Double, _ text: String) { #expect(BenchReport.text(value) == text) }
}

/// Each scenario once, as small as it may be: it comes to its end, says all of its figures, and what they stand beside.
@Suite(.timeLimit(.minutes(10))) struct `A scenario that is measured` {
    /// The executable beside the one that runs the tests.
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("eyot")

    /// - Parameters:
    ///   - names: parts of figures' names: limits, peers, and what the goal speaks of.
    /// - Returns: the medians, in the order of the names.
    private func figures(_ report: BenchReport, _ names: [String]) throws -> [Double] {
        for figure in report.json.object?["figures"]?.array ?? [] {
            let values = figure.object?["values"]?.array ?? []
            // Of very few cards it cannot always be said.
            if figure.object?["name"]?.string?.contains("deviation") == true { continue }
            #expect(!values.isEmpty && !values.contains(.null), "\(figure.text)")
        }
        return try names.map { try #require(Double(try median(of: $0, in: report).text), "\($0)") }
    }

    private func median(of name: String, in report: BenchReport) throws -> JSONValue {
        try #require(figure(name, in: report)?["median"], "\(report.name) says nothing of \(name)")
    }

    /// One for each round.
    private func values(of name: String, in report: BenchReport) -> [Double]? {
        figure(name, in: report)?["values"]?.array?.compactMap { Double($0.text) }
    }

    private func figure(_ name: String, in report: BenchReport) -> JSONObject? {
        report.json.object?["figures"]?.array?.lazy.compactMap(\.object).first {
            $0["name"]?.string?.contains(name) == true
        }
    }

    @Test func `growth: every kind in every size`() async throws {
        let sizes = [2_000, 2_200]
        let report = try await Growth(sizes: sizes, rounds: 1, singles: 1).run { _ in }
        let kinds = [
            "a push of an update for everyone", "an update for one card", "a new token",
            "each push beyond the first page",
        ]
        let names = kinds.flatMap { kind in
            sizes.flatMap { size in
                ["statements", "writes handed over", "threads woken", "CPU", "written"].map {
                    "\(kind), of \(size): \($0)"
                }
            }
        }
        let values = try figures(report, names)
        // The last kind is a difference; in so small an activity it says nothing.
        #expect(values.prefix(3 * 10).allSatisfy { $0 >= 0 })
        for count in ["statements", "writes handed over", "written"] {
            let deviation = figure("largest deviation between the sizes: \(count)", in: report)
            #expect(deviation?["goal"]?.text == #"{"atMost":20}"#)
        }
        #expect(report.lines.count == 1 + names.count + 3)
    }

    @Test func `growth: a deviation is what the largest has more than the smallest, in percent`() {
        #expect(Growth.deviation([5, 4, 4.5]) == 25)
        #expect(Growth.deviation([3]) == 0)
        #expect(Growth.deviation([1, 0]).isNaN)
        #expect(Growth.deviation([]).isNaN)
    }

    @Test func `scopes: beside an update for everyone, and the limit of a transaction`() async throws {
        let report = try await Scopes(replicas: 1_000, rounds: 1).run { _ in }
        let values = try figures(
            report, ["members", "transactions: limit", "p99", "the same for everyone", "CPU for each of everyone"])
        #expect(values[0] == 999)
        #expect(values[1] == 10)
        #expect(values.allSatisfy { $0 > 0 })
    }

    /// Two rounds: what a second one reports has to be newer than what the first one did.
    @Test func `kick-off: beside rows in the log and nothing else`() async throws {
        let report = try await KickOff(tokens: 1_000, phones: 100, rounds: 2).run { _ in }
        let names = [
            "tokens a second", "rows a second in the log", "tokens to rows", "written for each", "pushes meanwhile",
            "updates for everybody",
        ]
        _ = try figures(report, names)
        let values = try names.map { try #require(self.values(of: $0, in: report)) }
        #expect(values.allSatisfy { $0.count == 2 })
        for round in values[0].indices {
            #expect(abs(values[0][round] / values[1][round] - values[2][round]) < 0.05 * values[2][round] + 0.001)
            #expect(values[4][round] >= 1_000, "everybody got the update, be it before or after its token came")
            #expect(values[5][round] >= 1)
        }
    }

    @Test func `A card that does not have its phone's newest token is found`() async throws {
        let bench = try await BenchStore()
        try await bench.fill("final", replicas: 1_000)
        #expect(try await bench.cards(of: "final") { $0 } == 0)
        #expect(try await bench.cards(of: "final") { $0 == 1_000 ? -1 : $0 } == 1)
        try await bench.remove()
    }

    @Test func `orders: beside what HTTP alone allows`() async throws {
        let report = try await Orders(orders: 1_000, updates: 100, rounds: 1).run { _ in }
        let values = try figures(report, ["activities", "updates a second", "/healthz", "state age, p99"])
        #expect(values[0] == 1_000)
        #expect(values.allSatisfy { $0 > 0 })
    }

    @Test func `devices: beside a hello-world over the same TLS, on kept and on new connections`() async throws {
        var bench = DeviceCalls(phones: 1_000, calls: 100, connections: 8, rounds: 1)
        // On a busy machine the listener is late, and each phone is to be answered.
        (bench.returning, bench.returnSeconds, bench.lag) = (200, 1, 0)
        let report = try await bench.run { _ in }.report
        let values = try figures(
            report,
            [
                "hello-world a second", "start tokens a second", "card tokens a second", "shown states a second",
                "registrations a second", "start tokens on new connections a second", "start tokens to hello-world",
                "start tokens: written", "start tokens: statements of the writer", "answered a second",
                "the match meanwhile: pushes",
            ])
        #expect(values.allSatisfy { $0 > 0 }, "\(values)")
        // A difference of two measurements, of either sign on a busy machine.
        #expect(try median(of: "TCP and the handshake", in: report).double != nil)
        #expect(try median(of: "start tokens: in one commit", in: report).double ?? 0 >= 1)
        for name in ["calls refused", "calls without an answer", "never answered well"] {
            #expect(try median(of: name, in: report).integer == 0)
        }
    }

    @Test func `overload: beside the sink's rate, and the bound of the state age`() async throws {
        let report = try await Overload(replicas: 10_000, rounds: 1, seconds: 3).run { _ in }
        let values = try figures(
            report, ["that the sink takes", "bound of the state age", "longest state age", "cards that were ended"])
        #expect(values[0] == 1_000)
        #expect(values[1] == 14)
        #expect(values[3] == 1)
    }

    /// The figures depend on the machine's speed, so the test checks only that the report has them. Without the sender
    /// no answer is late. With more cards a sender that was built for tests would not keep up at this speed.
    @Test func `race: beside the same race without stalls and without the sender, in both times`() async throws {
        let report = try await Race(replicas: 200, minutes: 1, speed: 20, rounds: 1).run { _ in }
        for how in ["", ", without the sender"] {
            for kind in ["without stalls", "of healthy cards", "of cards whose push stalled"] {
                for time in ["in the race's time", "as it passed"] {
                    for share in ["median", "p99"] {
                        _ = try median(of: "state age \(kind)\(how), \(share), \(time)", in: report)
                    }
                }
            }
            _ = try median(of: "pushes of an older state after a newer one\(how)", in: report)
            _ = try median(of: "pushes without an answer\(how)", in: report)
        }
        #expect(try median(of: "that were found, of 4, without the sender", in: report).integer == 4)
        #expect(try median(of: "most pushes to a dead token, without the sender", in: report).integer == 1)
    }

    @Test func `restart: beside a server with an empty store`() async throws {
        let report = try await Restart(activities: 1_000, updates: 100, rounds: 1)
            .run(executable: Self.executable) { _ in }
        let values = try figures(report, ["activities", "until it is ready", "with an empty store", "log", "memory"])
        #expect(values[0] == 1_000)
        #expect(values.allSatisfy { $0 > 0 })
        let names = report.json.object?["figures"]?.array?.compactMap { $0.object?["name"]?.string } ?? []
        #expect(names.count { $0 == "the same with an empty store" } == 3)
    }

    @Test(.enabled(if: Program.path(of: "h2load") != nil && Program.path(of: "nghttpd") != nil))
    func `match-night: by part, beside h2load`() async throws {
        let report = try await MatchNight(replicas: 1_000, rounds: 1).run { _ in }
        let values = try figures(
            report,
            [
                "replicas", "h2load, CPU per request", "all of it, CPU per push", "all of it to h2load",
                "engine and store to h2load", "written per push", "10 updates in a second: pushes for each card",
            ])
        #expect(values[0] == 1_000)
        #expect(abs(values[2] / values[1] - values[3]) < 0.05 * values[3] + 0.001)
        #expect(values[6] >= 1)
    }
}
