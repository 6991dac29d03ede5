import Foundation

/// How many pushes a phone lets through in a stretch of time.
public struct PushBudget: Sendable, Hashable {
    /// Pushes in any ``window``; nil where there is no limit.
    public var limit: Int?
    /// Seconds.
    public var window: TimeInterval

    /// A budget of `limit` pushes in any `window` seconds.
    public init(limit: Int?, window: TimeInterval) {
        self.limit = limit
        self.window = window
    }
}

/// What has been spent of one budget. Remembers as many moments as the limit, no more.
struct BudgetMeter: Sendable {
    private var spent: [Date] = []

    /// Spends one where there is one left.
    mutating func spend(at now: Date, of budget: PushBudget) -> Bool {
        guard let limit = budget.limit else { return true }
        spent.removeAll { $0.addingTimeInterval(budget.window) <= now }
        guard spent.count < limit else { return false }
        spent.append(now)
        return true
    }
}
