import PhoneSimulator

/// What an app can see of ActivityKit, by the question that it answers.
public enum ObservedSubject: String, Sendable, Hashable, CaseIterable {
    /// What a request came to.
    case requests
    /// Which cards there are at a launch, and which the sequence of cards yields.
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
    /// When a sequence ends.
    case endings
    /// When the app is woken.
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

    /// The guesses that decide it, by their names in ``PhoneSimulator/PhoneRules`` and on `docs/internals/fidelity.md`. What
    /// none of them decides is documented, or our mistake.
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

    /// Guesses that no app can see: what Apple answers to a sender, and what is on the screen.
    public static let hiddenRules: Set<String> = [
        "replacingKillsToken", "endKillsToken", "removalKillsToken", "renderInterval", "endedCardsGoLast", "endsAlert",
    ]
}
