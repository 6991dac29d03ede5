extension FindingCode {
    /// What to do about it; nil if there is nothing to do.
    package var remedy: String? { operators ?? developers ?? callers ?? supporters }

    /// Whether nothing is right until a person acts, and not the phone's owner or time.
    package var isSevere: Bool {
        switch self {
        case .apnsKeyMissing, .apnsKeyRefused, .appPaused, .appHalted, .restored, .halted, .notPushing, .clockWrong,
            .appleUnreachable, .keyShared, .startRefused, .tokenDead, .tokenUnknown, .wrongEnvironment, .wrongTopic,
            .pushRefused, .undecodable, .channelLost, .capabilityMissing, .infoPlistKeyMissing:
            true
        default: false
        }
    }

    /// Whether its remedy is a new start.
    package var isMendedByStart: Bool {
        switch self {
        case .dismissed, .endedOnPhone, .overTime, .unlisted, .neverAllowed, .startCancelled, .startDropped,
            .startDisplaced, .startRefused, .tokenDead:
            true
        default: false
        }
    }

    /// What those can do who run the server.
    private var operators: String? {
        switch self {
        case .apnsKeyMissing: "Store an APNs key of the app for the environment."
        case .apnsKeyRefused: "Store a key that Apple takes for this environment and team, then resume the app."
        case .appPaused: "Mend what Apple's reason names, then resume the app. Eyot also tries by itself."
        case .appleFails:
            "Nothing: Apple's service is at fault, and Eyot repeats each push by itself. Apple's page System Status "
                + "tells of outages."
        case .appleUnreachable:
            "Let the server reach api.push.apple.com and api.sandbox.push.apple.com on port 443; eyot doctor tries it. "
                + "What waits goes out by itself."
        case .clockWrong: "Set the server's clock by NTP. What waits goes out by itself."
        case .keyShared:
            "Give Eyot an APNs key of its own, or stop the other program. What waits goes out by itself."
        case .appHalted, .halted: "Resume it, if the halt is no longer needed."
        case .restored: "Declare the newest state of each activity that runs, then resume the app."
        case .notPushing: "Read the server's readiness: it names what keeps it from pushing."
        case .tokensSetAside: "Mend the cause and resume the app. Eyot also tries some of the tokens by itself."
        case .wrongEnvironment:
            "Store an APNs key for the other environment too, or register the app with the environment that its build "
                + "is signed for."
        case .wrongTopic: "Check that the bundle id of the app is the one that the build was signed with."
        default: nil
        }
    }

    /// What those can do who build the app.
    private var developers: String? {
        switch self {
        case .capabilityMissing:
            "Add the push notifications capability to the app, and register the type with Eyot at each launch."
        case .infoPlistKeyMissing: "Add NSSupportsLiveActivities to the app's Info.plist."
        case .typeUnknown: "Register the type with Eyot in this build of the app, or start another type."
        case .unprovenUser: "Send a signature of the user's id with identify, or change the identity mode of the app."
        case .notResumed: "Call resume for the type early at each launch, also when iOS launches the app for a push."
        case .untracked: "Let the app call observe for the card, or start another card. resume follows only later ones."
        case .undecodable: "Send the state as this build decodes it, or push the right schema and update again."
        default: nil
        }
    }

    /// What those can do who declare.
    private var callers: String? {
        switch self {
        case .nothingDeclared: "Declare a state for the activity: start, update or put it."
        case .heldByCanary: "Wait for the canary, or declare the state again without one."
        case .notInvited: "Start or put the activity with an audience that contains the phone, or make it public."
        case .startMissed: "Start again. A start with live also reaches phones that can be started only later."
        case .startBudgetSpent: "Wait, or raise the starts that the profile of the type allows in an hour."
        case .startUnknown: "Wait for the phone's report, or start again with force if a second card does no harm."
        case .startDisplaced: "Keep at most one start on its way to an offline phone: Apple stores one push for each."
        case .startDropped:
            "Start again later: iOS drops starts in Low Power Mode, and when the app's budget for them is spent."
        case .startRefused: "Read Apple's reason in the story, and mend it."
        case .tooManyCards: "End cards that are no longer needed: iOS shows five of an app at once."
        case .neverAllowed:
            "Nothing: iOS has ended the card by now. Start again with restartDismissed, if it is still wanted."
        case .dismissed: "Nothing, unless the person wants it back: start with restartDismissed."
        case .endedOnPhone, .startCancelled: "Start again, if the card is still wanted."
        case .overTime:
            "Start again with restartDismissed: iOS lets a card run for eight hours, and a phone may report that end as a "
                + "removal."
        case .unlisted: "Start again with restartDismissed, if the card is still wanted."
        case .pushRefused: "Mend what Apple's reason names, and declare the state again."
        case .slowed: "Send fewer updates to the card, or let a profile of the type space them."
        case .stale: "Declare a newer state, or the same one with a later staleDate."
        case .changedByApp: "Declare a newer state: Eyot does not overwrite what the app itself shows."
        default: nil
        }
    }

    /// What those can do who speak with the phone's owner.
    private var supporters: String? {
        switch self {
        case .notRegistered:
            "Check the id. Let the person open the app and log in to it. The app has to call identify with this id, and "
                + "the phone needs iOS 16.2."
        case .notIdentified:
            "Let the person open the app and log in to it. If that changes nothing, check that the app calls identify "
                + "with this id, and that the phone has iOS 16.2 or later."
        case .previousUser: "Nothing: the phone has another user now, or none."
        case .activitiesOff: "Ask the person to turn on Live Activities for the app in Settings."
        case .osTooOld: "A remote start needs iOS 17.2. The app can start the card by itself while it is open."
        case .noStartToken:
            "Let the person open the app. If it stays so, look for process:liveactivitiesd in the phone's log, and "
                + "check NSSupportsLiveActivities in Info.plist."
        case .startTokenDead: "Let the person open the app: the phone then sends a new start token."
        case .startTokenStale: "Let the person open the app: it then sends its start token again."
        case .startExpired:
            "Let the person open the app: if the card is not there, Eyot starts it again. Or start it with force, if a "
                + "second card does no harm. iOS drops starts in Low Power Mode, and after many starts in a day."
        case .waitingForAllow:
            "Let the person tap Allow on the card, or let the phone get online: iOS gives no token before."
        case .replaced: "Look at the other card of the name on this phone."
        case .tokenDead:
            "Let the person open the app: it reports whether the card is there. If not, start with restartDismissed."
        case .tokenUnknown:
            "Let the person open the app, which reports its tokens again. If many phones have it, check the team of "
                + "the APNs key, and from which app the tokens were imported."
        case .channelLost: "Let the person open the app. A phone with a start token gets a new card by itself."
        case .offline:
            "Let the phone get online: Apple keeps the newest push. Or let the person open the app, which brings it."
        case .frequentUpdatesOff:
            "Let the person open the app, which brings the state, or let the phone get online. Allow more frequent "
                + "updates for the app in Settings."
        case .updateBudgetSpent:
            "Let the person open the app, which brings the state, or let the phone get online. Send fewer updates with "
                + "priority 10, and set NSSupportsLiveActivitiesFrequentUpdates in Info.plist."
        case .notShown:
            "Let the person open the app, which brings the state. Send fewer updates: iOS drops them without a budget."
        default: nil
        }
    }
}
