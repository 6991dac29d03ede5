extension EventKind {
    /// What to do about an error; nil for other events.
    package var remedy: String? {
        switch self {
        case .appPaused: "Mend what Apple's reason names, then resume the app. Eyot also tries by itself."
        case .broadcastRefused: "Mend what Apple's reason names, and declare the state again."
        case .broadcastUnknown, .pushUnknown:
            "Nothing: the newest state is sent again, and a second arrival does no harm."
        case .pushRefused: "Mend what Apple's reason names. A newer state is tried again."
        case .startExpired:
            "Let the person open the app. Eyot starts the card again by itself once the phone has spoken."
        case .startRefused: "Mend what Apple's reason names, and start again."
        case .startSuspected: "Check the environment and the bundle id that the app's build is signed with."
        case .startUnknown: "Wait for the phone's report, or start again with force if a second card does no harm."
        case .startTokenDead: "Let the person open the app: the phone then sends a new start token."
        case .updateTokenDead:
            "Let the person open the app: its report says whether the card is still there. Restore the token if Apple "
                + "was wrong."
        default: nil
        }
    }
}
