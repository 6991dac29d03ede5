import Foundation

/// A limit on the pushes that a phone accepts within a period.
public struct PushBudget: Sendable, Hashable, Codable {
    /// Pushes in any ``window``; nil if there is no limit.
    public var limit: Int?
    /// Seconds.
    public var window: TimeInterval

    /// A budget of `limit` pushes in any `window` seconds.
    public init(limit: Int?, window: TimeInterval) {
        self.limit = limit
        self.window = window
    }
}

/// The use of one budget. It remembers at most as many moments as the limit.
struct BudgetMeter: Sendable, Codable {
    private var spent: [Date] = []

    /// Spends one push if the budget has one left.
    ///
    /// - Parameter evenIfDropped: whether a push beyond the budget counts too, so that continued sending prolongs the
    ///   wait.
    mutating func spend(at now: Date, of budget: PushBudget, evenIfDropped: Bool) -> Bool {
        guard let limit = budget.limit else { return true }
        spent.removeAll { $0.addingTimeInterval(budget.window) <= now }
        let isLeft = spent.count < limit
        if isLeft || evenIfDropped { spent = (spent + [now]).suffix(limit) }
        return isLeft
    }
}
