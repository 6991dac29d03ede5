extension Replica {
    /// What has happened to the card between two states of its replica.
    ///
    /// The facts follow from the change alone. So no transition can forget to tell what it did, and a change that is
    /// undone has told nothing.
    package func facts(since former: Replica) -> [Fact] {
        var facts: [Fact] = []
        if let instance, instance != former.instance { facts.append(Fact(.cardAppeared, version: acceptedVersion)) }
        if lease?.state == .unknown, former.lease?.state != .unknown { facts.append(Fact(.startUnknown)) }
        if ending != former.ending, let fact = endingFact { facts.append(fact) }
        if let fact = tokenFact(since: former) { facts.append(fact) }
        if phase != former.phase, let fact = phaseFact(since: former) { facts.append(fact) }
        return facts
    }

    private var endingFact: Fact? {
        switch ending {
        case .replaced: Fact(.cardReplaced, version: acceptedVersion)
        case .otherPerson: Fact(.cardWithdrawn, version: acceptedVersion)
        case .declared, nil: nil
        }
    }

    private func tokenFact(since former: Replica) -> Fact? {
        guard let token, token.version != former.token?.version else { return nil }
        let isOther = former.token.map { $0.token != token.token } ?? false
        return Fact(isOther ? .updateTokenReplaced : .updateTokenSet, version: acceptedVersion, token: token.token)
    }

    private func phaseFact(since former: Replica) -> Fact? {
        switch phase {
        case .starting: Fact(.startReplanned)
        case .waitingForToken, .live: reopeningFact(since: former)
        // Apple accepted the end: that is a push, and no event.
        case .ended:
            acceptedVersion > former.acceptedVersion
                ? nil : Fact(.cardEnded, version: former.acceptedVersion, reason: removal?.rawValue)
        case .dismissed: Fact(.cardDismissed, version: former.acceptedVersion, reason: removal?.rawValue)
        case .unlisted: Fact(.cardUnlisted, version: former.acceptedVersion)
        case .untracked: Fact(.cardUntracked, version: former.acceptedVersion)
        case .dead(let death):
            Fact(
                .updateTokenDead, version: former.acceptedVersion, reason: death.reason.name,
                token: (token ?? former.token)?.token)
        // That a start led to no card is told once, whatever is learned of it later.
        case .notStarted(let failure):
            former.hasLostStart && hasLostStart ? nil : Fact(failure.event, reason: failure.rawValue)
        }
    }

    private func reopeningFact(since former: Replica) -> Fact? {
        switch former.phase {
        case .starting, .waitingForToken, .live: nil
        // A token that the phone has set says for itself why the card can be reached again.
        case .dead:
            token?.version == former.token?.version
                ? Fact(.updateTokenRestored, token: token?.token) : nil
        case .ended, .dismissed, .unlisted, .notStarted, .untracked: Fact(.cardReopened, version: acceptedVersion)
        }
    }
}

extension StartFailure {
    /// The kind of event that tells of a start which has failed for this reason.
    fileprivate var event: EventKind {
        switch self {
        case .refused: .startRefused
        case .suspected: .startSuspected
        default: isLostStart ? .startExpired : .startCancelled
        }
    }
}
