import EyotContract
import EyotLab
import Foundation

/// A test with a real server that is killed at random moments while it pushes to very many phones, and started again.
/// Nothing that it accepted may be lost, few pushes may repeat, and no card may be started twice (R9, R6).
public struct Crash: Sendable {
    /// The result of the test.
    public struct Outcome: Sendable {
        /// The figures.
        public let report: BenchReport
        /// The violations; empty for none.
        public let complaints: [String]
    }

    /// The number of phones.
    public var tokens: Int
    /// The number of kills.
    public var kills: Int
    /// The seed of the moments.
    public var seed: UInt64
    /// The `eyot` executable that runs the server.
    public var executable: URL

    /// The most updates and ends that may repeat after one crash: the pushes that may be without a stored verdict.
    public static let window = 8_000

    /// Makes a test.
    ///
    /// - Parameters:
    ///   - tokens: the number of phones, 200 or more. Half of them get their card by a start.
    ///   - kills: 2 to 1,000, and at most half of the tokens.
    ///   - executable: the `eyot` executable that runs the server.
    public init(tokens: Int, kills: Int, seed: UInt64, executable: URL) {
        self.tokens = tokens
        self.kills = kills
        self.seed = seed
        self.executable = executable
    }

    /// Runs the test.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> Outcome {
        let script = CrashScript(tokens: tokens, kills: kills, seed: seed)
        let crowd = Crowd(script)
        var configuration = LabConfiguration(executable: executable)
        configuration.receiver = crowd
        configuration.recordedPushes = 0
        configuration.serverLogLevel = "error"
        return try await Lab.run(configuration) { lab in
            let night = CrashNight(lab: lab, crowd: crowd, script: script, seed: seed)
            progress("filling a store with \(script.phones.count) phones; the seed is \(seed)")
            try await night.fill()
            return try await withThrowingTaskGroup { group in
                group.addTask { try await CrowdReports(lab: lab, crowd: crowd, secret: CrashNight.secret).run() }
                var (trace, complaints): (CrashTrace, [String]) = (CrashTrace(), [])
                do {
                    for number in script.rounds.indices {
                        try await night.play(number, &trace)
                        progress("kill \(number + 1) of \(script.rounds.count), \(script.rounds[number].moment)")
                    }
                    try await night.rest(trace)
                    try await night.settle()
                } catch let error as BenchError {
                    // A push that does not arrive is lost. The oracle finds the cards without it.
                    complaints.append("\(error)")
                }
                group.cancelAll()
                await lab.stopServer()
                trace.close(crowd.counts)
                let oracle = CrashOracle(script: script, phones: crowd.phones, counts: crowd.counts, trace: trace)
                complaints += try await oracle.complaints(store: await lab.description.database)
                return Outcome(report: oracle.report, complaints: complaints)
            }
        }
    }
}

/// The record of a run.
struct CrashTrace: Sendable {
    /// The number of declarations that the server accepted.
    private(set) var declared = 0
    /// The newest operation; nil for none.
    private(set) var operation: String?
    /// Seconds from each start of the process after a kill to its first answered call.
    private(set) var restarts: [Double] = []
    /// The numbers of repeated pushes between two kills.
    private(set) var repeats: [Int] = []
    private var repeatsBefore = 0

    mutating func took(_ operation: String?) {
        declared += 1
        self.operation = operation
    }

    mutating func killed(_ counts: Crowd.Counts) {
        if !restarts.isEmpty { repeats.append(counts.repeated - repeatsBefore) }
        repeatsBefore = counts.repeated
    }

    mutating func restarted(after seconds: Double) { restarts.append(seconds) }

    mutating func close(_ counts: Crowd.Counts) { killed(counts) }
}
