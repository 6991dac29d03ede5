import EyotContract
import EyotDomain

/// The work that an effect of ``EngineCore`` has in the store, in one transaction.
///
/// Only this use case performs effects. The engine, the simulation, the scenarios and the tests bring their own edges:
/// a sender for pages, a clock for alarms, and the transaction.
package struct PerformEffect: UseCase {
    package let transaction: Transaction
    private let held: HeldLeases
    private let pushing: PushingState?

    /// - Parameters:
    ///   - held: The leases that the transaction holds.
    ///   - pushing: Measures how long replicas were behind if the clock was set back.
    package init(_ transaction: Transaction, holding held: HeldLeases = .unbounded, pushing: PushingState? = nil) {
        self.transaction = transaction
        self.held = held
        self.pushing = pushing
    }

    /// - Returns: The answer for the core; nil if it expects none, or if the effect has no work in the store.
    package func callAsFunction(_ effect: EngineCore.Effect) throws -> EngineCore.Input? {
        switch effect {
        case .take(let looks, let room):
            return .took(looks.map(\.activity), try TakePages(transaction, holding: held)(looks, in: room))
        case .takeTrial(let trial): return .tried(try TakeTrial(transaction, holding: held)(trial))
        case .settle(let id, let page, let verdicts, let resting):
            return .settled(id, try SettlePage(transaction, pushing: pushing)(page, verdicts, resting: resting))
        case .rest(let id, let plan): return .rested(id, try Rest(transaction)(id, plan))
        case .conclude(let id, let lap):
            try Rest(transaction).conclude(id, lap)
            return nil
        case .pause(let fault): return .paused(fault, try PauseApp(transaction)(fault))
        case .note(let news):
            try NoteFailure(transaction)(news)
            return .noted(news, isStored: true)
        case .clearSuspicion(let fault):
            return .paused(fault, PauseApp.Outcome(hasMore: try ClearSuspicion(transaction)(in: fault.app)))
        case .findDue(let limit, let shards):
            return .due(
                try ledger.dueActivities(at: now, limit: limit, in: shards),
                next: try ledger.nextDue(after: now, in: shards), trials: try ledger.trials(at: now))
        case .push, .wake, .left, .stopped: return nil
        }
    }
}
