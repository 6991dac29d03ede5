import APNSWire

extension Fact {
    /// Whether something did not work that a caller wanted. Apple refuses the token of a card that a person has
    /// removed, and that is no error.
    package var isError: Bool { kind.isError && !isEndOfToken }

    /// What to do about an error; nil if there is nothing to do.
    package var remedy: String? {
        guard isError else { return nil }
        return refusal?.remedy ?? kind.remedy(because: reason.map(APNSReason.init(name:)))
    }

    /// The code with which a call was refused; nil for other events.
    private var refusal: EyotError.Code? {
        kind == .callRefused ? reason.flatMap(EyotError.Code.init(rawValue:)) : nil
    }

    private var isEndOfToken: Bool {
        [.pushRefused, .updateTokenDead].contains(kind)
            && reason.map { APNSReason(name: $0).action == .buryToken } ?? false
    }

    /// What Apple accepted. The reason has its kind.
    private var acceptance: String {
        switch reason.flatMap(LiveActivityEvent.init(rawValue:)) {
        case .start: "Apple accepted the start of the card."
        case .end: "Apple accepted the end of the card."
        case .update, nil: kind.meaning
        }
    }

    /// One sentence that says what happened, for a person.
    package var meaning: String {
        if let refusal { return "A call was refused. \(refusal.cause)" }
        if kind == .pushAccepted { return acceptance }
        return switch (kind, reason.flatMap(Removal.init)) {
        case (.cardEnded, .app): "The app ended the card."
        case (.cardEnded, .time): "iOS ended the card, because its eight hours were over."
        case (.cardEnded, .appOrSystem): "The app or iOS ended the card."
        case (.cardEnded, .activitiesOff): "Live Activities were switched off for the app, which ended the card."
        case (.cardDismissed, .personOrApp):
            "The card ended and left the screen at once: the person removed it, or the app or another sender ended it."
        default: kind.meaning
        }
    }
}

extension EventKind {
    /// One sentence that says what happened, for a person.
    package var meaning: String {
        switch self {
        case .activityDeclared: "A state or an end was declared."
        case .activityEnded: "The activity ended by itself at the planned time."
        case .activityHalted: "An operator, or a failed canary, halted the activity: nothing is pushed for it."
        case .activityResumed: "The activity was resumed after a halt."
        case .activityStale: "The newest state passed its stale date: iOS shows cards grey until another one comes."
        case .appFailing: "No push of the app got through for some seconds, because of Apple, the network or the clock."
        case .appHalted: "The app was halted: nothing is pushed for it."
        case .appPaused: "Eyot stopped pushing to one environment of the app, because Apple refuses its pushes."
        case .appRecovered: "A push of the app got through again."
        case .appResumed: "A halt or a pause of the app ended."
        case .broadcastAccepted: "Apple accepted a broadcast to the activity's channel."
        case .broadcastRefused: "Apple refused a broadcast to the activity's channel."
        case .broadcastUnknown: "Apple did not answer a broadcast. It may have arrived."
        case .callLate: "A call came too late: a newer state was there, so it has changed nothing."
        case .callRefused: "A call was refused, and has changed nothing."
        case .cardAppeared: "The phone reported a new card."
        case .cardDismissed: "The person removed the card."
        case .cardEnded: "The app or iOS ended the card, or its eight hours were over."
        case .cardReopened: "The phone reported a card that had counted as over."
        case .cardReplaced: "Another card of the same name appeared on the phone. This card is ended."
        case .cardUnlisted: "The phone no longer lists the card among the running ones. It was most likely removed."
        case .cardUntracked: "The app stopped following the card."
        case .cardWithdrawn: "The phone has another user now. The card leaves the screen."
        case .deviceIdentified: "The phone named its user."
        case .deviceLoggedOut: "The phone has no user any more."
        case .devicePermissions: "The person changed what Live Activities may do."
        case .deviceRegistered: "The app registered on a phone for the first time."
        case .operationDone: "All phones that a request applies to have its state, or are known not to get it."
        case .operationSuperseded: "A later request superseded one before all phones had its state."
        case .pushAccepted: "Apple accepted a push to the card."
        case .pushRefused: "Apple refused a push."
        case .pushUnknown: "Apple did not answer a push. It may have arrived."
        case .startCancelled: "A start was cancelled before it left, or given up."
        case .startExpired: "Apple took a start, and no card appeared while Apple could keep it."
        case .startRefused: "Apple refused a start for good."
        case .startReplanned: "A start that was given up is planned again."
        case .startSuspected: "Apple refused a start token in a way that may be the app's fault."
        case .startUnknown: "Apple did not answer a start. It may have arrived, so it is not sent again."
        case .startTokenDead: "Apple refused the start token. The device cannot be started until it sends another."
        case .startTokenRemoved: "The start token is gone: the app removed it, or the system was updated."
        case .startTokenReplaced: "The phone sent another start token."
        case .startTokenRestored: "A start token that was set aside is used again."
        case .startTokenSet: "The phone sent its first start token of a type."
        case .updateTokenDead: "Apple refused the card's token. The card gets no more pushes, and is most likely gone."
        case .updateTokenReplaced: "The phone sent another token for the card."
        case .updateTokenRestored: "The card's token is used again."
        case .updateTokenSet: "The phone sent a token for the card."
        case .typeHalted: "An operator halted a type: nothing is pushed for its activities."
        case .typeResumed: "A type was resumed after a halt."
        }
    }

    /// Whether something did not work that a caller wanted, for most reasons; see ``Fact/isError``.
    package var isError: Bool {
        switch self {
        case .appFailing, .appPaused, .callRefused, .broadcastRefused, .broadcastUnknown, .pushRefused, .pushUnknown,
            .startExpired,
            .startRefused, .startSuspected, .startUnknown, .startTokenDead, .updateTokenDead:
            true
        default: false
        }
    }
}
