extension PhoneRules {
    /// One way in which a phone may differ from the default.
    public struct Switch: Sendable, CustomStringConvertible {
        /// The rule's name.
        public let name: String
        /// The rule's name and value.
        public let description: String
        /// Whether the rule is a question of either or, and no figure.
        public let isChoice: Bool
        /// Puts the rule so.
        public let flip: @Sendable (inout PhoneRules) -> Void

        init<Value: Sendable>(_ name: String, _ rule: WritableKeyPath<PhoneRules, Value> & Sendable, _ value: Value) {
            self.name = name
            description = "\(name) = \(value)"
            isChoice = value is Bool || value is any CaseIterable
            flip = { $0[keyPath: rule] = value }
        }
    }

    /// Every switch, in each position that is not its default.
    public static let switches: [Switch] =
        payloadSwitches + orderSwitches + startSwitches + lifeSwitches
        + tokenSwitches + appSwitches + budgetSwitches + workSwitches

    private static let payloadSwitches = [
        Switch("dropsMalformedPush", \.dropsMalformedPush, false),
        Switch("keepsAbsentMembers", \.keepsAbsentMembers, true),
        Switch("updateCountsAttributes", \.updateCountsAttributes, true),
        Switch("earlyDismissalDateCounts", \.earlyDismissalDateCounts, true),
    ]

    private static let orderSwitches = [
        Switch("pushMaximumAge", \.pushMaximumAge, 600),
        Switch("appliesEqualTimestamp", \.appliesEqualTimestamp, true),
        Switch("appliesOlderEnd", \.appliesOlderEnd, false),
        Switch("olderEndShowsContent", \.olderEndShowsContent, true),
        Switch("requestHasTimestamp", \.requestHasTimestamp, true),
        Switch("localChangeHasTimestamp", \.localChangeHasTimestamp, false),
    ]

    private static let startSwitches = [
        Switch("takesQualifiedTypeNames", \.takesQualifiedTypeNames, true),
        Switch("needsInputPushToken", \.needsInputPushToken, true),
        Switch("bothInputs", \.bothInputs, .token),
        Switch("bothInputs", \.bothInputs, .noStart),
        Switch("invalidChannelStopsStart", \.invalidChannelStopsStart, false),
        Switch("takesLargeBroadcastState", \.takesLargeBroadcastState, true),
        Switch("broadcastsShareStorage", \.broadcastsShareStorage, true),
        Switch("subscribingBringsNewest", \.subscribingBringsNewest, true),
        Switch("storageBurst", \.storageBurst, 5),
        Switch("considerateDelay", \.considerateDelay, 40),
    ]

    private static let lifeSwitches = [
        Switch("updateRevivesStale", \.updateRevivesStale, false),
        Switch("swipeEndsFirst", \.swipeEndsFirst, true),
        Switch("disablingRemovesCards", \.disablingRemovesCards, false),
        Switch("cardsSurviveReboot", \.cardsSurviveReboot, false),
        Switch("maximumCards", \.maximumCards, 1),
        Switch("maximumCardsOnPhone", \.maximumCardsOnPhone, 2),
        Switch("endedCardsCount", \.endedCardsCount, true),
        Switch("endedCardsGoLast", \.endedCardsGoLast, true),
        Switch("renderInterval", \.renderInterval, 15),
    ]

    private static let tokenSwitches = [
        Switch("startTokenMoment", \.startTokenMoment, .firstLaunchAfterReboot),
        Switch("rebootRenewsStartToken", \.rebootRenewsStartToken, true),
        Switch("disablingKillsStartToken", \.disablingKillsStartToken, true),
        Switch("tokenDelay", \.tokenDelay, 3),
        Switch("allowHoldsForAllCards", \.allowHoldsForAllCards, false),
        Switch("replacingKillsToken", \.replacingKillsToken, false),
        Switch("endKillsToken", \.endKillsToken, true),
        Switch("removalKillsToken", \.removalKillsToken, false),
    ]

    private static let appSwitches = [
        Switch("wakesForceQuitApp", \.wakesForceQuitApp, false),
        Switch("backgroundTime", \.backgroundTime, 10),
        Switch("replaysCards", \.replaysCards, false),
        Switch("replaysUpdateToken", \.replaysUpdateToken, false),
        Switch("replaysStartToken", \.replaysStartToken, false),
        Switch("replaysSettings", \.replaysSettings, true),
        Switch("cardStreamsEnd", \.cardStreamsEnd, false),
    ]

    private static let budgetSwitches = [
        Switch("updateBudget", \.updateBudget, PushBudget(limit: 5, window: 3_600)),
        Switch("frequentUpdateBudget", \.frequentUpdateBudget, PushBudget(limit: 5, window: 3_600)),
        Switch("startBudget", \.startBudget, PushBudget(limit: 2, window: 24 * 3_600)),
        Switch("endsSpendBudget", \.endsSpendBudget, false),
        Switch("broadcastsSpendBudget", \.broadcastsSpendBudget, false),
        Switch("droppedPushesSpendBudget", \.droppedPushesSpendBudget, true),
    ]

    // These come last: a seed draws for each switch in order, so new switches at the end leave the earlier draws
    // unchanged.
    private static let workSwitches = [
        Switch("unfinishedWorkTime", \.unfinishedWorkTime, 5),
        Switch("issuesTokensOffline", \.issuesTokensOffline, false),
        Switch("channelCardsGetToken", \.channelCardsGetToken, true),
        Switch("endsAlert", \.endsAlert, false),
        Switch("undecodableEndEnds", \.undecodableEndEnds, true),
        Switch("ignoredUpdatesSpendBudget", \.ignoredUpdatesSpendBudget, false),
        Switch("disabledGetsStartToken", \.disabledGetsStartToken, true),
        Switch("takesSecondEnd", \.takesSecondEnd, false),
        Switch("takesSecondPushedEnd", \.takesSecondPushedEnd, true),
        Switch("pendingCardsGetToken", \.pendingCardsGetToken, true),
        Switch("systemUpdateRenewsStartToken", \.systemUpdateRenewsStartToken, false),
    ]
}
