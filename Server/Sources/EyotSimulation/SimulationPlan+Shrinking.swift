extension SimulationPlan {
    /// A smaller plan that still fails: fewer troubles, phones and actions. A plan with fewer actions is the beginning of one
    /// with more, so the shortest one ends where things go wrong.
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
    /// How a run ended badly.
    private enum Failure {
        case violations
        /// Something was thrown that no simulation throws, such as what SQLite says of a statement.
        case error(any Error)

        /// Errors are of one kind where their types are.
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

    /// Runs a plan and says what broke a rule or was thrown; nil where nothing was.
    ///
    /// - Parameter store: makes an empty one for each run.
    package static func complaint(
        about plan: SimulationPlan, planting fault: PlantedFault? = nil, store: () throws -> any SimulationStore
    ) throws -> String? {
        func failure(of plan: SimulationPlan, telling tell: ([String]) -> Void = { _ in }) throws -> Failure? {
            // That there is no store is no seed's fault.
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
