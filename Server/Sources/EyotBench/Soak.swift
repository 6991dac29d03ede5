import EyotSQLite
import EyotSimulation
import Foundation

/// A run of the simulation on SQLite under one seed after the other, on every core, until a rule breaks or the time is
/// over.
public struct Soak: Sendable {
    /// The result of the run.
    public struct Outcome: Sendable {
        /// The number of seeds that were run.
        public fileprivate(set) var seeds = 0
        /// The violation or error of the smallest plan that was found, with its trace; nil for none.
        public fileprivate(set) var complaint: String?
    }

    private static let secondsBetweenNews = 10.0

    private let firstSeed: UInt64
    private let seconds: Double?
    private let fault: PlantedFault?

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - firstSeed: the seed to begin with.
    ///   - seconds: the length of the run; nil until a rule breaks.
    public init(firstSeed: UInt64, seconds: Double?) {
        self.init(firstSeed: firstSeed, seconds: seconds, planting: nil)
    }

    package init(firstSeed: UInt64, seconds: Double?, planting fault: PlantedFault?) {
        self.firstSeed = firstSeed
        self.seconds = seconds
        self.fault = fault
    }

    /// Runs the simulation.
    ///
    /// - Parameter progress: called now and then with a line about the progress.
    public func run(progress: (String) -> Void) async throws -> Outcome {
        let began = ContinuousClock.now
        var (outcome, next, toldAt) = (Outcome(), firstSeed, 0.0)
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                group.addTask { [next] in try complaint(of: next) }
                next &+= 1
            }
            while let said = try await group.next() {
                outcome.seeds += 1
                outcome.complaint = outcome.complaint ?? said
                let passed = began.duration(to: .now).seconds
                // The present runs on other cores are completed.
                guard outcome.complaint == nil, passed < seconds ?? .infinity else { continue }
                group.addTask { [next] in try complaint(of: next) }
                next &+= 1
                guard passed - toldAt >= Self.secondsBetweenNews else { continue }
                toldAt = passed
                let rate = String(format: "%.1f", Double(outcome.seeds) / passed)
                progress("\(outcome.seeds) seeds, \(rate) a second; next is \(next)")
            }
        }
        return outcome
    }

    private func complaint(of seed: UInt64) throws -> String? {
        try Simulation.complaint(about: .any(seed: seed), planting: fault) { try SQLiteDatabase() }
    }
}
