extension Scenario {
    /// Every scenario, by the rule that it is about.
    package static let all: [Scenario] =
        convergence + pendingStarts + order + parts + lateCallers + alerts + ends + dismissals + starts + plannedEnds
        + plannedStarts
        + budgets
        + localChanges + names + tokens + halts + canaries + lostStarts + corrections + lateEnds
}
