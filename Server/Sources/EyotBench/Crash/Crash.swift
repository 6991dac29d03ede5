import EyotContract
import EyotLab
import Foundation

/// A real server, killed at random moments while it pushes to very many phones, and started again: nothing that it accepted is
/// lost, little comes twice, and no card is started twice (R9, R6).
public struct Crash: Sendable {
    /// What came of it.
    public struct Outcome: Sendable {
        /// The figures.
        public let report: BenchReport
        /// What must not have happened; empty where nothing did.
        public let complaints: [String]
    }

    /// Phones.
    public var tokens: Int
    /// How often the server is killed.
    public var kills: Int
    /// Decides the moments.
    public var seed: UInt64
    /// The `eyot` executable that runs the server; nil for the running one.
    public var executable: URL?

    /// Updates and ends that may come again after one crash. So many pushes may be without a verdict that is stored.
    public static let window = 8_000

    /// - Parameters:
    ///   - tokens: phones, 200 or more; half of them get their card by a start.
    ///   - kills: 2 to 1,000, and no more than half of the tokens.
    public init(tokens: Int, kills: Int, seed: UInt64, executable: URL? = nil) {
        self.tokens = tokens
        self.kills = kills
        self.seed = seed
        self.executable = executable
    }

    /// - Parameter progress: told what is going on.
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
                } catch let error as BenchError {
                    // What does not come is lost; who has it not, the oracle says.
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

/// What is noted while it runs.
struct CrashTrace: Sendable {
    /// Declarations that the server has taken.
    private(set) var declared = 0
    /// The newest operation.
    private(set) var operation: String?
    /// Seconds from the start of the process until it takes calls, after each kill.
    private(set) var restarts: [Double] = []
    /// Repetitions between two kills.
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
