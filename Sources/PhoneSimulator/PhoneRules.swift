import Foundation

/// A phone's behaviour on points that Apple has not published. Every default is a guess or a report of developers; a
/// server must cope with either setting.
public struct PhoneRules: Sendable, Hashable, Codable {
    /// When the push-to-start token is made.
    public enum StartTokenMoment: String, Sendable, Hashable, CaseIterable, Codable {
        /// At the app's first launch after it was installed.
        case firstLaunch
        /// At the first launch after the phone was restarted, as vendors warn.
        case firstLaunchAfterReboot
    }

    /// The effect of a start that asks for both a token and a channel.
    public enum BothInputs: String, Sendable, Hashable, CaseIterable, Codable {
        case channel, token, noStart
    }

    // MARK: Payloads

    /// Whether an optional member of the wrong kind spoils a whole push. A guess; otherwise it counts as absent.
    public var dropsMalformedPush = true
    /// Whether a push without stale date or relevance score leaves the card those that it has. A guess.
    public var keepsAbsentMembers = false
    /// Whether the limit of 4,096 bytes applies to an update's content state together with the card's attributes, not
    /// only to the state. Apple's text allows both readings.
    public var updateCountsAttributes = false
    /// Whether the `dismissal-date` of a start or an update counts when the card ends without one. A guess.
    public var earlyDismissalDateCounts = false

    /// Whether an end ends the card and shows nothing of its state if the state does not decode or is too large. A
    /// guess: Apple speaks of updates.
    public var undecodableEndEnds = false
    /// Whether the alert of an end sounds. A guess: Apple's table leaves it open.
    public var endsAlert = true

    // MARK: Order

    /// Seconds after which a timestamp is too old, whatever the card shows; nil for never. An answer in Apple's forum,
    /// that timestamps in the past are dropped, can be read so.
    public var pushMaximumAge: TimeInterval?
    /// Whether of two changes with the same timestamp the later one is shown. A guess.
    public var appliesEqualTimestamp = false
    /// Whether an end applies although its timestamp is older than the shown content's. One developer saw it apply.
    public var appliesOlderEnd = true
    /// Whether such an end brings its old content back. A guess.
    public var olderEndShowsContent = false
    /// Whether a local request counts as a first update in the order of timestamps. Apple speaks of updates and pushes.
    public var requestHasTimestamp = false
    /// Whether a local update or end without a timestamp is stamped by the phone's clock. A guess; otherwise it stands
    /// outside the order.
    public var localChangeHasTimestamp = true

    // MARK: Starts

    /// Whether a start may name its type with the module before it, as in `App.Match`. A guess.
    public var takesQualifiedTypeNames = false
    /// Whether from iOS 18 a start without `input-push-token` brings no token. One developer saw no difference.
    public var needsInputPushToken = false
    /// The effect of a start that has `input-push-token` and `input-push-channel`. A guess.
    public var bothInputs = BothInputs.channel
    /// Whether a start fails if `input-push-channel` is no base64 text. A local request then fails too.
    public var invalidChannelStopsStart = true

    // MARK: Channels and storage

    /// Whether a card that a push started on a channel also gets a token. A guess: a card has one source of updates.
    public var channelCardsGetToken = false
    /// Whether a broadcast with a content state over 4,096 bytes is shown. A guess.
    public var takesLargeBroadcastState = false
    /// Whether a stored broadcast replaces the app's one stored push, and the reverse. A guess.
    public var broadcastsShareStorage = false
    /// Whether a new subscriber to a channel gets the broadcast that Apple has stored for it. A guess.
    public var subscribingBringsNewest = false
    /// Seconds after a push was kept for a phone that is offline in which later ones do not replace it. Apple does not
    /// promise that of a burst the latest is kept.
    public var storageBurst: TimeInterval = 0

    /// Seconds for which pushes with a lower priority than 10 wait, to be delivered in a burst. Apple says that they
    /// may, and not for how long.
    public var considerateDelay: TimeInterval = 0

    // MARK: A card's life

    /// Whether an update that is not stale itself makes a stale card active again. A guess.
    public var updateRevivesStale = true
    /// Whether a card that the person swipes away is ended to its app before it is dismissed. A guess.
    public var swipeEndsFirst = false
    /// Whether switching Live Activities off takes the app's cards from view. A guess.
    public var disablingRemovesCards = true
    /// Whether cards are still there after a restart of the phone. A guess.
    public var cardsSurviveReboot = true
    /// How many cards an app may have at once. Apple publishes no number.
    public var maximumCards = 5
    /// How many cards all apps of a phone may have at once; nil for any number. Apple publishes none.
    public var maximumCardsOnPhone: Int?
    /// Whether ended cards count among those. A guess.
    public var endedCardsCount = false
    /// Whether ended cards stand below the running ones on the Lock Screen, however relevant. A guess.
    public var endedCardsGoLast = false
    /// Whether an app's second end of a card that has ended, and is still in view, moves the moment at which the card
    /// goes. Three public apps rely on it to take such a card away at once.
    public var takesSecondEnd = true
    /// Whether a pushed second end does so too. A guess.
    public var takesSecondPushedEnd = false
    /// Seconds that a content stays on the screen before the next one takes its place, from iOS 18: developers speak of
    /// 5 to 15. 0 shows every one at once.
    public var renderInterval: TimeInterval = 0

    // MARK: Tokens

    /// When the push-to-start token is made. Reported both ways.
    public var startTokenMoment = StartTokenMoment.firstLaunch
    /// Whether a restart of the phone brings a new push-to-start token. A guess.
    public var rebootRenewsStartToken = false
    /// Whether a major update of the system leaves a push-to-start token that Apple accepts and that starts nothing,
    /// and the app's next launch gets another one. Reported after the update to iOS 27.0; otherwise the token stays.
    public var systemUpdateRenewsStartToken = true
    /// Whether switching Live Activities off kills the push-to-start token. A guess.
    public var disablingKillsStartToken = false
    /// Whether an app gets a push-to-start token while Live Activities are switched off. A guess.
    public var disabledGetsStartToken = false
    /// Seconds between a card's start and its update token. A guess.
    public var tokenDelay: TimeInterval = 0
    /// Whether a card that is to begin later gets its token before it begins. A guess: no source says so.
    public var pendingCardsGetToken = false
    /// Whether a phone that is offline gets the tokens of its app and its cards all the same. A guess.
    public var issuesTokensOffline = true
    /// Whether Allow, once pressed, counts for all the app's cards, and not only for those that are there. A guess.
    public var allowHoldsForAllCards = true
    /// Whether Apple answers 410 for a token that another one has replaced. One developer saw 200 for a start token
    /// weeks old; nothing is shown either way.
    public var replacingKillsToken = true
    /// Whether Apple answers 410 for the token of a card that has ended and is still in view, and not 200. A guess.
    public var endKillsToken = false
    /// Whether Apple answers 410 for the token of a card that is gone from view, and not 200. A guess.
    public var removalKillsToken = true

    // MARK: The app

    /// Whether a push wakes an app that the person has force-quit. Reported as unreliable.
    public var wakesForceQuitApp = true
    /// Seconds for which an app runs in the background before the system ends it; nil for as long as it likes. Real
    /// ones have seconds.
    public var backgroundTime: TimeInterval?
    /// How many seconds the process runs at least after it has asked to finish some work (`performExpiringActivity`). A
    /// guess: about 30 are reported.
    public var unfinishedWorkTime: TimeInterval = 30
    /// Whether `activityUpdates` yields the cards that are already there. In a slow launch in the background they are
    /// reported to be missed.
    public var replaysCards = true
    /// Whether `pushTokenUpdates` yields the token that is already there. The same.
    public var replaysUpdateToken = true
    /// Whether `pushToStartTokenUpdates` yields the token that is already there. It is reported to stay silent at
    /// times.
    public var replaysStartToken = true
    /// Whether the sequences of the two switches in Settings yield the present setting first. A guess.
    public var replaysSettings = false
    /// Whether the sequences of a card end when it goes from view, and not only with the process. A guess.
    public var cardStreamsEnd = true

    // MARK: Budgets

    /// Pushed updates with priority 10. Unlimited by default, because no number is published.
    public var updateBudget = PushBudget(limit: nil, window: 3_600)
    /// The same for an app that supports frequent updates, while they are on in Settings.
    public var frequentUpdateBudget = PushBudget(limit: nil, window: 3_600)
    /// Pushed starts have a budget of their own; developers report about ten in a window of hours.
    public var startBudget = PushBudget(limit: nil, window: 24 * 3_600)
    /// Whether an end with priority 10 counts against the budget of updates. A guess.
    public var endsSpendBudget = true
    /// Whether a broadcast with priority 10 counts against the phone's budget of updates. A guess.
    public var broadcastsSpendBudget = true
    /// Whether an update counts against the budget if the phone ignores it for another reason, such as its timestamp. A
    /// guess.
    public var ignoredUpdatesSpendBudget = true
    /// Whether a push that is dropped for the budget counts against it too. A device's log showed a budget below zero.
    public var droppedPushesSpendBudget = false

    /// The defaults.
    public init() {}

    /// The narrowest limits that developers have reported: 236 updates with priority 10 in an hour, ten pushed starts
    /// in a day, new content on the screen every 15 seconds. The ordinary budget of updates is not reported. Here it
    /// equals the budget for frequent updates, so a real phone may have less.
    public static let narrow: PhoneRules = {
        var rules = PhoneRules()
        rules.updateBudget.limit = 236
        rules.frequentUpdateBudget.limit = 236
        rules.startBudget.limit = 10
        rules.droppedPushesSpendBudget = true
        rules.renderInterval = 15
        return rules
    }()
}
