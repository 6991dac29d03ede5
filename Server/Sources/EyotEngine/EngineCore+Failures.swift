import APNSWire

extension EngineCore.Effect {
    /// The answer that lets the core continue after a failure of the store. The work itself is found again in the
    /// store.
    package var answerToFailure: EngineCore.Input? {
        switch self {
        case .take(let looks, _): .took(looks.map(\.activity), nil)
        case .takeTrial: .tried(nil)
        case .push(let id, _, let page): .pushed(id, PageVerdicts(count: page.count))
        case .settle(let id, _, _, _): .settled(id, nil)
        case .rest(let id, _): .rested(id, true)
        case .findDue: .due([], next: nil)
        // A later lap concludes it. The resume of the app clears suspicion.
        case .conclude, .pause, .clearSuspicion, .wake, .stopped: nil
        }
    }
}
