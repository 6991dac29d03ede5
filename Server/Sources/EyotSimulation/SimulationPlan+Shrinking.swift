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
    /// Runs a plan and says what broke a rule; nil where nothing did.
    ///
    /// - Parameter store: makes an empty one for each run.
    package static func complaint(
        about plan: SimulationPlan, planting fault: PlantedFault? = nil, store: () throws -> any SimulationStore
    ) throws -> String? {
        let record = try Simulation(plan, store: store(), planting: fault).run()
        guard !record.violations.isEmpty else { return nil }
        let smallest = try plan.shrunk { plan in
            try !Simulation(plan, store: store(), planting: fault).run().violations.isEmpty
        }
        let story = try Simulation(smallest, store: store(), planting: fault).run()
        return "\(plan) breaks rules; so does \(smallest):\n" + story.trace.joined(separator: "\n")
    }
}
