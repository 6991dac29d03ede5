import EyotCommands
import EyotDomain

extension ScenarioWorld {
    /// Performs an operator's event.
    func operate(_ event: Scenario.Event) throws {
        switch event {
        case .resume: _ = try ResumeApp(Transaction(ledger, at: now))(app)
        case .halt(let by, let isHalted, let name):
            let set = SetHalt(Transaction(ledger, at: now))
            switch by {
            case .app: _ = try isHalted ? set.halt(app: app) : ResumeApp(Transaction(ledger, at: now))(app)
            case .type: _ = try set.set(isHalted, type: Self.type, of: app)
            case .activity: _ = try set.set(isHalted, activity: name, of: app)
            }
        case .restore(let selection, let reason):
            var restore = RestoreTokens(Transaction(ledger, at: now), app: app, reason: reason)
            _ = try restore(selection)
        default: break
        }
    }
}
