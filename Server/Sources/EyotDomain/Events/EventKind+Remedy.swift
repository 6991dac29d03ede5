import APNSWire

extension EventKind {
    /// What to do about an error; nil for other events.
    ///
    /// - Parameter reason: Apple's reason; nil if there is none.
    func remedy(because reason: APNSReason?) -> String? {
        switch self {
        case .appFailing: "Read what `eyot doctor` says of the app. What waits goes out by itself."
        case .appPaused: "Mend what Apple's reason names, then resume the app. Eyot also tries by itself."
        case .broadcastRefused, .pushRefused: reason?.remedy ?? "Declare a newer state: it is sent all the same."
        case .broadcastUnknown, .pushUnknown:
            "Nothing: the newest state is sent again, and a second arrival does no harm."
        case .callRefused: "Correct the call as its code says."
        case .startExpired:
            "Let the person open the app. Eyot starts the card again by itself once the phone has spoken."
        case .startRefused: "Mend what Apple's reason names, and start again."
        case .startSuspected: APNSReason.badDeviceToken.remedy
        case .startUnknown: "Wait for the phone's report, or start again with force if a second card does no harm."
        case .startTokenDead: "Let the person open the app: the phone then sends a new start token."
        case .updateTokenDead:
            "Let the person open the app: its report says whether the card is still there. Restore the token if Apple "
                + "was wrong."
        default: nil
        }
    }
}

extension APNSReason {
    /// What to do about a push that Apple refused for this reason.
    fileprivate var remedy: String? {
        switch action {
        case .buryToken: "Nothing: the card, or its app, is gone from the phone."
        case .suspectToken: "Check the environment and the bundle id that the app's build is signed with."
        case .retryLater: "Nothing: Eyot sends it again by itself."
        case .slowToken: FindingCode.slowed.remedy
        case .renewProviderToken: "Nothing if it came once: Eyot signs anew. Otherwise set the server's clock."
        case .pauseApp, .pauseChannels: "Mend the app's key or set-up, as Apple's reason says, then resume the app."
        case .dropPush: "Declare a state that Apple takes: this one is not sent again."
        }
    }
}
