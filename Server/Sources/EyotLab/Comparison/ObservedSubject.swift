import PhoneSimulator

/// A subject that an app can observe in ActivityKit.
public enum ObservedSubject: String, Sendable, Hashable, CaseIterable {
    /// The result of a request.
    case requests
    /// The cards at a launch, and those that the sequence of cards yields.
    case cards
    /// The states of a card.
    case states
    /// The contents of a card.
    case contents
    /// The update tokens of a card.
    case tokens
    /// The push-to-start token.
    case startTokens
    /// The switches in Settings.
    case settings
    /// The end of a sequence.
    case endings
    /// The times at which the app is woken.
    case wakings

    init(_ fact: RecordedFact) {
        self =
            switch fact {
            case .granted, .refused: .requests
            case .there, .card: .cards
            case .phase: .states
            case .content: .contents
            case .token: .tokens
            case .startToken: .startTokens
            case .activitiesEnabled, .frequentPushesEnabled: .settings
            case .over: .endings
            case .woken, .other: .wakings
            }
    }

    /// The guesses that decide this subject, by their names in ``PhoneSimulator/PhoneRules`` and on
    /// `docs/internals/fidelity.md`. Any other difference concerns documented behaviour, or is a mistake of the
    /// simulator.
    public var rules: [String] {
        switch self {
        case .requests: ["maximumCards", "maximumCardsOnPhone", "endedCardsCount"]
        case .cards:
            [
                "replaysCards", "dropsMalformedPush", "takesQualifiedTypeNames", "bothInputs",
                "invalidChannelStopsStart",
                "pushMaximumAge", "startBudget", "maximumCards", "maximumCardsOnPhone", "endedCardsCount",
                "startTokenMoment", "cardsSurviveReboot", "considerateDelay",
            ]
        case .states:
            [
                "updateRevivesStale", "swipeEndsFirst", "disablingRemovesCards", "cardsSurviveReboot",
                "appliesOlderEnd",
                "earlyDismissalDateCounts", "pushMaximumAge", "undecodableEndEnds", "takesSecondEnd",
                "takesSecondPushedEnd",
            ]
        case .contents:
            [
                "appliesEqualTimestamp", "olderEndShowsContent", "requestHasTimestamp", "localChangeHasTimestamp",
                "pushMaximumAge", "keepsAbsentMembers", "dropsMalformedPush", "updateCountsAttributes",
                "takesLargeBroadcastState", "updateBudget", "frequentUpdateBudget", "endsSpendBudget",
                "broadcastsSpendBudget", "droppedPushesSpendBudget", "ignoredUpdatesSpendBudget", "considerateDelay",
                "storageBurst",
                "broadcastsShareStorage", "subscribingBringsNewest",
            ]
        case .tokens:
            [
                "tokenDelay", "allowHoldsForAllCards", "replaysUpdateToken", "needsInputPushToken", "bothInputs",
                "issuesTokensOffline", "channelCardsGetToken", "pendingCardsGetToken",
            ]
        case .startTokens:
            [
                "startTokenMoment", "replaysStartToken", "rebootRenewsStartToken", "disablingKillsStartToken",
                "disabledGetsStartToken", "issuesTokensOffline", "systemUpdateRenewsStartToken",
            ]
        case .settings: ["replaysSettings"]
        case .endings: ["cardStreamsEnd"]
        case .wakings: ["wakesForceQuitApp", "backgroundTime", "unfinishedWorkTime"]
        }
    }

    /// Guesses that no app can observe: Apple's answers to a sender, and the screen.
    public static let hiddenRules: Set<String> = [
        "replacingKillsToken", "endKillsToken", "removalKillsToken", "renderInterval", "endedCardsGoLast", "endsAlert",
    ]
}
