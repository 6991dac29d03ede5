import Foundation

/// How many seeds the tests of the simulation try.
package enum SimulationSeeds {
    /// `SIMULATION_SEEDS`, which `scripts/check --full` sets to 3,000.
    package static let count =
        ProcessInfo.processInfo.environment["SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 60

    /// A share of them, at least one.
    ///
    /// - Parameter limit: The most.
    package static func share(_ part: UInt64, limit: UInt64 = .max) -> UInt64 { max(1, min(count / part, limit)) }
}
