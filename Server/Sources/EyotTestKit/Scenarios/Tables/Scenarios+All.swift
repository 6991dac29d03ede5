extension Scenario {
    /// All scenarios, in the order of their rules.
    package static let all: [Scenario] =
        convergence + pendingStarts + order + parts + lateCallers + alerts + ends + dismissals + starts + plannedEnds
        + plannedStarts
        + budgets
        + localChanges + names + tokens + halts + canaries + lostStarts + silence + twoGenerations + corrections
        + lateEnds
}
