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
    case shown, upToDate, onItsWay, startPlanned, ended, superseded, nothingDeclared
    // The app, or the server.
    case apnsKeyMissing, apnsKeyRefused, appPaused, appHalted, restored, halted, notPushing, clockWrong, heldByCanary
    // The app's build.
    case capabilityMissing, infoPlistKeyMissing, typeUnknown
    // The phone, before it has a card.
    case notRegistered, notIdentified, notInvited, activitiesOff, osTooOld, noStartToken, startTokenDead
    case startTokenStale, startBudgetSpent, previousUser, unprovenUser
    // The start.
    case startOnItsWay, startUnknown, startExpired, startDisplaced, startDropped, startRefused, startCancelled
    case tooManyCards, notResumed
    // The card.
    case waitingForAllow, neverAllowed, dismissed, endedOnPhone, overTime, replaced, unlisted, untracked
    // The pushes.
    case tokenDead, wrongEnvironment, wrongTopic, pushRefused, slowed, undecodable, changedByApp, channelLost
    case offline, frequentUpdatesOff, updateBudgetSpent, notShown
}

extension FindingCode {
    /// What to do about it; nil if there is nothing to do.
    package var remedy: String? {
        switch self {
        case .shown, .upToDate, .onItsWay, .startPlanned, .ended, .superseded, .startOnItsWay: nil
        case .nothingDeclared: "Declare a state for the activity: start, update or put it."
        case .apnsKeyMissing: "Store an APNs key of the app for the environment."
        case .apnsKeyRefused: "Store a key that Apple takes for this environment and team, then resume the app."
        case .appPaused: "Mend what Apple's reason names, then resume the app. Eyot also tries by itself."
        case .appHalted, .halted: "Resume it, if the halt is no longer needed."
        case .restored: "Declare the newest state of each activity that runs, then resume the app."
        case .notPushing: "Read the server's readiness: it names what keeps it from pushing."
        case .clockWrong: "Set the server's clock by NTP. What waits goes out by itself."
        case .heldByCanary: "Wait for the canary, or declare the state again without one."
        case .notRegistered:
            "Check that the app calls Eyot at its launch, with this user's id, and that the phone has opened it since."
        case .capabilityMissing:
            "Add the push notifications capability to the app, and register the type with Eyot at each launch."
        case .infoPlistKeyMissing: "Add NSSupportsLiveActivities to the app's Info.plist."
        case .typeUnknown: "Register the type with Eyot in this build of the app, or start another type."
        case .notIdentified: "Let the app call identify with the user's id after the login."
        case .notInvited: "Start or put the activity with an audience that contains the phone, or make it public."
        case .activitiesOff: "Ask the person to turn on Live Activities for the app in Settings."
        case .osTooOld: "A remote start needs iOS 17.2. The app can start the card by itself while it is open."
        case .noStartToken:
            "Let the person open the app. If it stays so, look for process:liveactivitiesd in the phone's log, and "
                + "check NSSupportsLiveActivities in Info.plist."
        case .startTokenDead: "Let the person open the app: the phone then sends a new start token."
        case .startTokenStale: "Let the person open the app: it then sends its start token again."
        case .startBudgetSpent: "Wait, or raise the starts that the profile of the type allows in an hour."
        case .previousUser: "Nothing: the phone belongs to another user now."
        case .unprovenUser: "Send a signature of the user's id with identify, or change the identity mode of the app."
        case .startUnknown: "Wait for the phone's report, or start again with force if a second card does no harm."
        case .startExpired:
            "Let the person open the app: if the card is not there, Eyot starts it again. Or start it with force, if a "
                + "second card does no harm."
        case .startDisplaced: "Keep at most one start on its way to an offline phone: Apple stores one push for each."
        case .startDropped:
            "Start again later: iOS drops starts when the app's budget is spent. Look for process:liveactivitiesd in the "
                + "phone's log."
        case .tooManyCards: "End cards that are no longer needed: iOS shows five of an app at once."
        case .notResumed: "Call resume for the type early at each launch, also when iOS launches the app for a push."
        case .startRefused: "Read Apple's reason in the story, and mend it."
        case .startCancelled: "Start again, if the card is still wanted."
        case .waitingForAllow: "Wait: the person has not tapped Allow on the card. iOS gives it no token before."
        case .neverAllowed: "Nothing: iOS has ended the card by now. Start again if it is still wanted."
        case .dismissed: "Nothing, unless the person wants it back: start with restartDismissed."
        case .endedOnPhone: "Start again, if the card is still wanted."
        case .overTime: "Start again: iOS lets a card run for eight hours."
        case .replaced: "Look at the other card of the name on this phone."
        case .unlisted: "Start again with restartDismissed, if the card is still wanted."
        case .untracked: "Let the app follow the card: it is followed at each launch if Eyot is set up before."
        case .tokenDead:
            "Let the person open the app: its report says whether the card is still there. If it is gone, start again "
                + "with restartDismissed."
        case .wrongEnvironment: "Register the app with the environment that its build is signed for."
        case .wrongTopic: "Check that the bundle id of the app is the one that the build was signed with."
        case .pushRefused: "Mend what Apple's reason names, and declare the state again."
        case .slowed: "Send fewer updates to the card, or let a profile of the type space them."
        case .undecodable: "Send the state as this build decodes it, or push the schema of the build if it is wrong."
        case .channelLost:
            "Declare the state again. Cards that are started from now on follow a new channel, or have tokens."
        case .offline: "Let the phone get online. Apple keeps the newest push for it."
        case .frequentUpdatesOff: "Ask the person to allow more frequent updates for the app in Settings."
        case .updateBudgetSpent:
            "Send fewer updates with priority 10, and set NSSupportsLiveActivitiesFrequentUpdates in Info.plist."
        case .notShown:
            "Send fewer updates: iOS drops them when the app's budget is spent. Look for process:liveactivitiesd in the "
                + "phone's log."
        case .changedByApp: "Declare a newer state: Eyot does not overwrite what the app itself shows."
        }
    }
}
