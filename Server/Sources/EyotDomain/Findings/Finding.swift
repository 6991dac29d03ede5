/// A named explanation of what a phone shows, or does not show.
package struct Finding: Sendable, Hashable {
    /// How sure the explanation is.
    package enum Confidence: String, Sendable, Hashable, CaseIterable {
        /// The server, or Apple, knows it.
        case certain
        /// Everything that is known points to it.
        case likely
        /// It would explain what is known, and so would something else.
        case possible
    }

    package var code: FindingCode
    /// What is wrong with this phone, in one sentence.
    package var sentence: String
    package var confidence: Confidence
    /// What it was concluded from, a sentence each.
    package var evidence: [String]

    /// The beginning of the evidence that a new start would not mend it now.
    package static let obstacle = "A new start does not reach the phone now."

    package init(
        _ code: FindingCode, _ sentence: String, _ confidence: Confidence = .certain, _ evidence: [String] = []
    ) {
        self.code = code
        self.sentence = sentence
        self.confidence = confidence
        self.evidence = evidence
    }
}

/// The findings. The raw values are what callers see.
package enum FindingCode: String, Sendable, Hashable, CaseIterable {
    // Nothing is wrong.
    case shown, upToDate, onItsWay, startPlanned, ending, ended, superseded, notForCard, nothingDeclared
    // The app, or the server.
    case apnsKeyMissing, apnsKeyRefused, appPaused, appHalted, restored, halted, notPushing, heldByCanary
    case tokensSetAside
    // Apple, the network, or the server's clock.
    case appleFails, appleUnreachable, clockWrong, keyShared
    // The app's build.
    case capabilityMissing, infoPlistKeyMissing, typeUnknown
    // The phone, before it has a card.
    case notRegistered, notIdentified, notInvited, activitiesOff, osTooOld, noStartToken, startTokenDead
    case startTokenStale, startBudgetSpent, previousUser, unprovenUser
    // The start.
    case startMissed, startOnItsWay, startUnknown, startExpired, startDisplaced, startDropped, startRefused
    case startCancelled, tooManyCards, notResumed
    // The card.
    case waitingForAllow, neverAllowed, dismissed, endedOnPhone, overTime, replaced, unlisted, untracked
    // The pushes.
    case tokenDead, tokenUnknown, wrongEnvironment, wrongTopic, pushRefused, slowed, undecodable, changedByApp
    case channelLost
    case offline, frequentUpdatesOff, updateBudgetSpent, notShown, stale
}
