import APNSWire
import EyotContract
import Foundation

/// A phone with one app, as a value: it decides iOS's behaviour and has no effects of its own.
///
/// Each call brings the time, which never goes back. ``takeEvents()`` returns the events so far. Dates are in true time
/// unless their comment says "by the phone's clock".
public struct PhoneState: Sendable {
    /// Pushes that the log keeps.
    public static let pushLogLimit = 100
    /// Faults that the log keeps.
    public static let faultLogLimit = 50
    /// Cards gone from view that are still listed; older ones are forgotten.
    public static let dismissedCardLimit = 20
    /// Dead tokens that the phone itself remembers, so that a late push finds its card; older ones are forgotten.
    static let retiredTokenLimit = 50

    /// The phone's fixed properties.
    public internal(set) var configuration: PhoneConfiguration
    /// How the person has set it up.
    public internal(set) var settings: PhoneSettings
    /// The phone's behaviour on points that Apple does not document; initially its configuration's.
    public internal(set) var rules: PhoneRules
    /// Every card that is there, and the latest that are gone, in the order in which they were started.
    public internal(set) var cards: [SimulatedCard] = []
    /// The push-to-start token, for every type of the app.
    public internal(set) var startToken: PushToken?
    /// Whether and how the app runs.
    public internal(set) var run = AppRun.notRunning
    /// Counts the app's processes; that of the present one, or of the last.
    public internal(set) var generation = 0
    /// Counts installations of the app, from 1.
    public internal(set) var installation = 1
    /// Whether Apple can reach the phone.
    public internal(set) var isOnline = true
    /// Whether the person has pressed Allow.
    public internal(set) var hasAllowed = false
    /// The broadcast channels that Apple knows the phone to be subscribed to: those of its running cards, as they were
    /// when it was last online.
    public internal(set) var subscribedChannels: Set<String> = []
    /// The pushes that arrived, with the phone's handling of each.
    public internal(set) var pushes = BoundedLog<PushRecord>(limit: pushLogLimit)
    /// The app's mistakes, described in words.
    public internal(set) var faults = BoundedLog<String>(limit: faultLogLimit)
    /// The latest moment that a call has brought.
    public internal(set) var time = Date.distantPast

    /// Cards of other apps on this phone. They only count for the phone's limit.
    public internal(set) var cardsOfOtherApps = 0

    var checks: [String: PayloadCheck]
    var random: SeededGenerator
    var updateMeter = BudgetMeter()
    var startMeter = BudgetMeter()
    /// The pushes that Apple stores while the phone is offline, in order of arrival.
    var stored: [StoredPush] = []
    /// Pushes that wait for a better moment, in the order in which they came.
    var waiting: [StoredPush] = []
    /// When they are delivered; nil if none waits.
    var burstAt: Date?
    var startedCards = 0
    var isForceQuit = false
    /// When the app entered the background, if it is there.
    var backgroundSince = Date.distantPast
    /// How many pieces of work the app has asked the system to let it finish.
    var unfinishedWork = 0
    var hasRebooted = false
    /// The tokens that died last, oldest first.
    var retiredTokens: [RetiredToken] = []
    private var events: [PhoneEvent] = []

    /// Creates a phone after the installation of the app, which has never run.
    public init(_ configuration: PhoneConfiguration) {
        self.configuration = configuration
        settings = configuration.settings
        rules = configuration.rules
        random = SeededGenerator(seed: configuration.seed, name: configuration.id)
        checks = PayloadCheck.byType(configuration.types)
    }

    /// Returns the events since the last call, in order.
    public mutating func takeEvents() -> [PhoneEvent] {
        defer { events = [] }
        return events
    }

    mutating func emit(_ event: PhoneEvent) { events.append(event) }

    /// Whether the app may send frequent updates: it supports them, and the person has not switched them off.
    public var frequentPushesEnabled: Bool { configuration.supportsFrequentUpdates && settings.frequentPushesEnabled }

    /// The phone's own clock.
    public var phoneTime: Date { time.addingTimeInterval(settings.clockSkew) }

    /// The moment in true time at which the phone's clock shows `date`.
    func trueTime(ofPhoneTime date: Date) -> Date { date.addingTimeInterval(-settings.clockSkew) }

    /// The card with this id.
    public func card(_ id: String) -> SimulatedCard? { cards.first { $0.id == id } }

    /// The cards of a type that are in view, including pending ones: the content of `Activity.activities`.
    public func cards(ofType type: String) -> [SimulatedCard] {
        cards.filter { $0.type == type && $0.phase != .dismissed }
    }

    /// The app's binary has this type: a later start may name it. A second check for a type replaces the first.
    mutating func declare(_ check: PayloadCheck) { checks[check.type] = check }

    /// Records a mistake of the app.
    mutating func note(fault: String) { faults.append(fault) }
}
