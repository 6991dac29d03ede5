import Foundation

/// What a phone does where Apple has published nothing. Every default is a guess, or what developers report; a server
/// must cope with either setting.
public struct PhoneRules: Sendable, Hashable {
    /// When the push-to-start token is made.
    public enum StartTokenMoment: String, Sendable, Hashable, CaseIterable {
        /// At the app's first launch after it was installed.
        case firstLaunch
        /// At the first launch after the phone was restarted, as vendors warn.
        case firstLaunchAfterReboot
    }

    /// When the push-to-start token is made. Reported both ways.
    public var startTokenMoment = StartTokenMoment.firstLaunch
    /// Whether a restart of the phone brings a new push-to-start token. A guess.
    public var rebootRenewsStartToken = false
    /// Whether `pushToStartTokenUpdates` yields the token that is already there. It is reported to stay silent at
    /// times.
    public var replaysStartToken = true
    /// Whether the sequences of the two switches in Settings yield the present setting first. A guess.
    public var replaysSettings = false
    /// Seconds between a card's start and its update token. A guess.
    public var tokenDelay: TimeInterval = 0
    /// Whether a pushed start wakes an app that the person has force-quit. Reported as unreliable.
    public var wakesForceQuitApp = true
    /// Whether cards are still there after a restart of the phone. A guess.
    public var cardsSurviveReboot = true
    /// Whether of two changes with the same timestamp the later one is shown. A guess.
    public var appliesEqualTimestamp = false
    /// Whether an end is taken though its timestamp is older than what is shown. One developer saw it taken.
    public var appliesOlderEnd = true
    /// Whether a local request counts as a first update in the order of timestamps. Apple speaks of updates and pushes.
    public var requestHasTimestamp = false
    /// Whether an update that is not stale itself makes a stale card active again. A guess.
    public var updateRevivesStale = true
    /// Whether Apple answers 410 for the token of a card that is gone from view, and not 200. A guess.
    public var removalKillsToken = true
    /// How many cards an app may have at once. Apple publishes no number.
    public var maximumCards = 5
    /// Pushed updates with priority 10. Unlimited unless told otherwise: no number is published.
    public var updateBudget = PushBudget(limit: nil, window: 3_600)
    /// The same while frequent updates are on in Settings.
    public var frequentUpdateBudget = PushBudget(limit: nil, window: 3_600)
    /// Pushed starts have a budget of their own; developers report about ten in a window of hours.
    public var startBudget = PushBudget(limit: nil, window: 24 * 3_600)

    /// The defaults.
    public init() {}
}

/// How many pushes a phone lets through in a stretch of time.
public struct PushBudget: Sendable, Hashable {
    /// Pushes in any ``window``; nil where there is no limit.
    public var limit: Int?
    /// Seconds.
    public var window: TimeInterval

    /// A budget of `limit` pushes in any `window` seconds.
    public init(limit: Int?, window: TimeInterval) {
        self.limit = limit
        self.window = window
    }
}

/// What has been spent of one budget. Remembers as many moments as the limit, no more.
struct BudgetMeter: Sendable {
    private var spent: [Date] = []

    /// Spends one where there is one left.
    mutating func spend(at now: Date, of budget: PushBudget) -> Bool {
        guard let limit = budget.limit else { return true }
        spent.removeAll { $0.addingTimeInterval(budget.window) <= now }
        guard spent.count < limit else { return false }
        spent.append(now)
        return true
    }
}
