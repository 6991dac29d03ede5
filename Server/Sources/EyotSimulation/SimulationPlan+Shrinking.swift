extension SimulationPlan {
    /// Returns a smaller plan that still fails, with fewer troubles, phones and actions. A plan with fewer actions is
    /// the beginning of a longer one, so the shortest ends where the fault shows.
    ///
    /// - Parameter fails: runs a plan.
    package func shrunk(_ fails: (SimulationPlan) throws -> Bool) rethrows -> SimulationPlan {
        var smallest = self
        for (trouble, _) in Troubles.names where smallest.troubles.contains(trouble) {
            var plan = smallest
            plan.troubles.remove(trouble)
            if try fails(plan) { smallest = plan }
        }
        while smallest.phones > 1 {
            var plan = smallest
            plan.phones -= 1
            guard try fails(plan) else { break }
            smallest = plan
        }
        for actions in 0..<smallest.actions {
            var plan = smallest
            plan.actions = actions
            if try fails(plan) { return plan }
        }
        return smallest
    }
}

extension Simulation {
    /// The kinds of failure of a run.
    private enum Failure {
        case violations
        /// An error that no simulation throws itself, for example SQLite's error about a statement.
        case error(any Error)

        /// Whether the failures are of one kind. Errors are if their types are equal.
        func isLike(_ other: Failure) -> Bool {
            switch (self, other) {
            case (.violations, .violations): true
            case (.error(let one), .error(let other)): Swift.type(of: one) == Swift.type(of: other)
            default: false
            }
        }

        var words: String {
            switch self {
            case .violations: "breaks rules"
            case .error(let error): "throws \(error)"
            }
        }
    }

    /// Runs a plan and returns the violations or the error; nil if there are none.
    ///
    /// - Parameter store: makes an empty store for each run.
    package static func complaint(
        about plan: SimulationPlan, planting fault: PlantedFault? = nil, store: () throws -> any SimulationStore
    ) throws -> String? {
        func failure(of plan: SimulationPlan, telling tell: ([String]) -> Void = { _ in }) throws -> Failure? {
            // A missing store is not the seed's fault.
            let store = try store()
            do {
                let simulation = try Simulation(plan, store: store, planting: fault)
                defer { tell(simulation.record.trace) }
                return try simulation.run().violations.isEmpty ? nil : .violations
            } catch {
                return .error(error)
            }
        }
        guard let first = try failure(of: plan) else { return nil }
        let smallest = try plan.shrunk { plan in try failure(of: plan)?.isLike(first) ?? false }
        var story: [String] = []
        let last = try failure(of: smallest) { story = $0 } ?? first
        let ending = if case .error(let error) = last { ["!! \(error)"] } else { [String]() }
        return "\(plan) \(first.words); so does \(smallest):\n" + (story + ending).joined(separator: "\n")
    }
}
