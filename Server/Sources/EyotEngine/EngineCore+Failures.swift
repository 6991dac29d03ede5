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
        case .note(let news): .noted(news, isStored: false)
        // A later lap concludes it. The resume of the app clears suspicion.
        case .conclude, .pause, .clearSuspicion, .wake, .left, .stopped: nil
        }
    }

    /// The answer if another node has a lease that the effect needed. Its activities are looked at there, and those of
    /// other shards are found again in the store.
    package var answerToLoss: EngineCore.Input? {
        guard case .take(let looks, _) = self else { return answerToFailure }
        return .took(looks.map(\.activity), TakenPages())
    }
}
