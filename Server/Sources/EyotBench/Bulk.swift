import EyotCommands
import EyotContract
import EyotDomain
import Foundation

/// A measurement of requests about very many users and phones. It shows how long each of their short transactions
/// blocks other writers. The limit beside it is the same number of users in equal transactions, written without reading
/// or deciding.
public struct Bulk: Sendable {
    /// The lines of a request: the most that one may have.
    public static let lines = PeopleBatch.limit

    private static let transactionGoal = 0.010
    private static let tags = 50

    /// The number of rounds.
    public var rounds: Int

    /// Makes a measurement.
    ///
    /// - Parameter rounds: 1 or more.
    public init(rounds: Int) { self.rounds = rounds }

    /// The kinds of requests, in the order of measurement: first new users and phones, then the same ones again.
    private enum Request: String, CaseIterable {
        case newUsers = "new users"
        case changedUsers = "changed users"
        case newTokens = "new phones"
        case changedTokens = "phones with new tokens"
    }

    /// The seconds of each transaction, and of all.
    private struct Times: Sendable {
        var transactions: [Double] = []
        var all: Double { transactions.reduce(0, +) }
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchOutcome {
        let bench = try await BenchStore()
        var times: [Request: [Times]] = [:]
        var limits: [Times] = []
        for round in 1...rounds {
            for request in Request.allCases {
                let measured = try await measure(request, round, bench)
                times[request, default: []].append(measured)
                progress("round \(round) of \(rounds): \(request.rawValue) in \(BenchReport.text(measured.all)) s")
            }
            limits.append(try await limit(round, bench))
        }
        try await bench.remove()
        return BenchOutcome(report: report(times, limits), complaints: complaints(times))
    }

    // MARK: One request

    private func measure(_ request: Request, _ round: Int, _ bench: BenchStore) async throws -> Times {
        let (app, now) = (bench.app, bench.clock.now)
        var times = Times()
        switch request {
        case .newUsers, .changedUsers:
            var batch = try PeopleBatch(
                of: .users, lines: Self.body { Self.user($0, round, isChanged: request == .changedUsers) })
            for part in batch.parts {
                let (failures, seconds) = try await Self.timed(bench) {
                    try PeopleBatch.apply(part, to: $0, app: app)
                }
                batch.note(failures)
                times.transactions.append(seconds)
            }
            guard batch.applied == Self.lines else { throw BenchError.missing("users: \(batch.failed) failed") }
        case .newTokens, .changedTokens:
            var batch = try TokenBatch(Self.body { Self.phone($0, round, isChanged: request == .changedTokens) })
            for part in batch.parts {
                let (outcomes, seconds) = try await Self.timed(bench) {
                    try TokenBatch.apply(part, to: $0, app: app, at: now)
                }
                batch.note(outcomes)
                times.transactions.append(seconds)
            }
            guard batch.counts[.imported] == Self.lines else {
                throw BenchError.missing("phones: \(batch.failed) failed")
            }
        }
        return times
    }

    /// Measures the same number of users in equal transactions, and nothing else.
    private func limit(_ round: Int, _ bench: BenchStore) async throws -> Times {
        let app = bench.app
        var times = Times()
        let atOnce = PeopleBatch.membersAtOnce
        for first in stride(from: 1, through: Self.lines, by: atOnce) {
            let (_, seconds) = try await Self.timed(bench) { ledger in
                for number in first..<min(first + atOnce, Self.lines + 1) {
                    try ledger.put(
                        User(app: app, externalID: "limit-\(round)-\(number)", tags: Self.tags(of: number)))
                }
            }
            times.transactions.append(seconds)
        }
        return times
    }

    /// Runs a transaction.
    ///
    /// - Returns: its result and its seconds, including the commit.
    private static func timed<Result: Sendable>(
        _ bench: BenchStore, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> (Result, Double) {
        let began = ContinuousClock.now
        let result = try await bench.store.write(body)
        return (result, began.duration(to: .now).seconds)
    }

    // MARK: What is said

    private static func body(_ line: (Int) -> String) -> [UInt8] {
        (1...lines).flatMap { line($0).utf8 + [UInt8(ascii: "\n")] }
    }

    private static func tags(of number: Int) -> Set<String> { ["fans", "team-\(number % tags)"] }

    private static func user(_ number: Int, _ round: Int, isChanged: Bool) -> String {
        let tags =
            isChanged
            ? #"{"add":["vip"],"remove":["fans"]}"# : #"["fans","team-\#(number % tags)"]"#
        return #"{"id":"user-\#(round)-\#(number)","tags":\#(tags),"#
            + #""attributes":{"city":"city-\#(number % 1_000)","score":\#(isChanged ? number + 1 : number)},"#
            + #""aliases":{"crm":"\#(round)-\#(number)"}}"#
    }

    private static func phone(_ number: Int, _ round: Int, isChanged: Bool) -> String {
        let digits = String(number + (isChanged ? lines : 0) + round * 10 * lines, radix: 16)
        let token = String(repeating: "0", count: 64 - digits.count) + digits
        return #"{"installation":"phone-\#(round)-\#(number)","user":"user-\#(round)-\#(number)","#
            + #""type":"\#(BenchStore.type)","startToken":"\#(token)"}"#
    }

    // MARK: What came of it

    private func report(_ times: [Request: [Times]], _ limits: [Times]) -> BenchReport {
        var report = BenchReport(name: "bulk", rounds: rounds)
        report.add("lines of a request", Double(Self.lines), "")
        for request in Request.allCases {
            add(
                request.rawValue, times[request] ?? [], goal: .atMost(Self.transactionGoal * 1_000), to: &report)
        }
        add("users and nothing else", limits, to: &report)
        report.addPeakMemory()
        return report
    }

    private func add(
        _ name: String, _ times: [Times], goal: BenchReport.Goal? = nil, to report: inout BenchReport
    ) {
        report.add("\(name) a second", times.map { Double(Self.lines) / $0.all }, "")
        for (share, words) in [(0.5, "median"), (0.99, "p99"), (1, "longest")] {
            report.add(
                "\(name): transactions, \(words)",
                times.map { BenchReport.quantile(share, of: $0.transactions) * 1_000 }, "ms",
                goal: share == 0.99 ? goal : nil)
        }
    }

    /// Returns the goals that the median of the rounds missed.
    private func complaints(_ times: [Request: [Times]]) -> [String] {
        Request.allCases.compactMap { request in
            let all = (times[request] ?? []).map { BenchReport.quantile(0.99, of: $0.transactions) }
            let seconds = BenchReport.quantile(0.5, of: all)
            guard seconds > Self.transactionGoal else { return nil }
            return
                "\(request.rawValue): 99 % of the transactions within \(BenchReport.text(seconds * 1_000)) ms, and not 10"
        }
    }
}
