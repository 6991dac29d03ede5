import EyotCommands
import EyotDomain

extension ScenarioWorld {
    /// Performs an operator's event.
    func operate(_ event: Scenario.Event) throws {
        switch event {
        case .resume: _ = try ResumeApp(ledger: ledger, now: now)(app)
        case .halt(let by, let isHalted, let name):
            let set = SetHalt(ledger: ledger, now: now)
            switch by {
            case .app: _ = try isHalted ? set.halt(app: app) : ResumeApp(ledger: ledger, now: now)(app)
            case .type: _ = try set.set(isHalted, type: Self.type, of: app)
            case .activity: _ = try set.set(isHalted, activity: name, of: app)
            }
        case .restore(let selection, let reason):
            var restore = RestoreTokens(ledger: ledger, app: app, now: now, reason: reason)
            _ = try restore(selection)
        default: break
        }
    }
}
