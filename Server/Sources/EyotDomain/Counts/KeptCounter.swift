/// What is counted of an activity.
///
/// Each kind of event of a card or an activity is a counter of its own, and the event's reason is the detail. Further
/// counters come from Apple's verdicts, from echoes and from the states of replicas. No detail names a person.
package struct KeptCounter: Sendable, Hashable {
    package let name: String

    private init(_ name: String) { self.name = name }

    /// Reads a stored counter.
    package init(stored name: String) { self.init(name) }

    /// Events of a kind, by their reasons.
    package init(_ kind: EventKind) { self.init(kind.rawValue) }

    /// The number of events of a kind by one property of the phones.
    package init(_ kind: EventKind, by dimension: CountDimension) { self = KeptCounter(kind).by(dimension) }

    /// The same number by one property of the phones.
    package func by(_ dimension: CountDimension) -> KeptCounter { KeptCounter("\(name):\(dimension.rawValue)") }

    /// The number of devices of an app that now have a property.
    package static func adoption(_ level: AdoptionLevel) -> KeptCounter {
        KeptCounter("\(adoptionPrefix)\(level.rawValue)")
    }

    private static let adoptionPrefix = "adoption."

    /// Whether it is a number of devices that goes up and down. It has a number for now, and its changes by day.
    package var isLevel: Bool { name.hasPrefix(Self.adoptionPrefix) }
}

// MARK: - States, which go up and down

extension KeptCounter {
    /// Replicas now in each phase, by ``Replica/word``.
    package static let phase = KeptCounter("phase")
    /// Replicas now not started, by ``StartFailure``.
    package static let failure = KeptCounter("failure")
    /// Replicas now with a token of no use, by Apple's reason.
    package static let death = KeptCounter("death")
    /// Cards that now show a state, by ``ShownDetail``; see ``ShownNumbers``.
    package static let showing = KeptCounter("showing")
}

// MARK: - Events without a kind of their own

extension KeptCounter {
    /// Devices of start calls that got a place.
    package static let eligible = KeptCounter("start.eligible")
    /// Devices of start calls that got none, by ``StartFailure``.
    package static let skipped = KeptCounter("start.skipped")
    /// Cards that appeared after a push; the other ones were started by their apps.
    package static let appearedByPush = KeptCounter("card.appeared.push")
    /// Cards that got another first token, because they had lost theirs.
    package static let tokenAgain = KeptCounter("token.update.again")
    /// Cards that iOS ended because their eight hours were over.
    package static let lifetimeOver = KeptCounter("card.lifetimeOver")
    /// Cards that were over before the person allowed updates.
    package static let neverAllowed = KeptCounter("card.neverAllowed")
    /// Dismissed cards, by the version that Apple had accepted last.
    package static let dismissedAfter = KeptCounter("card.dismissed.after")
    /// Cards that have had a token to push to. Another first token after a lost one does not count.
    package static let tokens = KeptCounter("card.token")
    /// Cards with an update that Apple has accepted. Each counts once, at the first.
    package static let updated = KeptCounter("card.updated")
    /// Cards that came to their end, by an end that Apple accepted or by their phones' reports. A card that is reported
    /// as running after its end counts again at its next end.
    package static let over = KeptCounter("card.over")
    /// Cards with a first echo.
    package static let echoes = KeptCounter("echo")
    /// Cards with an echo that showed a declared state.
    package static let shown = KeptCounter("card.shown")

    /// Taps on cards that opened the app.
    package static let taps = KeptCounter("card.tapped")

    package static let started = KeptCounter("push.started")
    package static let accepted = KeptCounter("push.accepted")
    package static let ended = KeptCounter("push.ended")
    package static let superseded = KeptCounter("push.superseded")
    package static let refused = KeptCounter("push.refusals")
    package static let unknown = KeptCounter("push.unanswered")
    package static let alertsGiven = KeptCounter("alert.given")
    package static let alertsWithoutRoom = KeptCounter("alert.withoutRoom")
    package static let alertsSuperseded = KeptCounter("alert.superseded")
    package static let alertsExpired = KeptCounter("alert.expired")

    /// How long replicas were behind before Apple accepted their state, by the step of ``AgeHistogram``.
    package static let acceptedAge = KeptCounter("age.accepted")
    /// The longest of these ages, in milliseconds.
    package static let longestAccepted = KeptCounter("age.accepted.longest")
    /// How long declarations for everyone waited before Apple accepted their broadcast, by the step of
    /// ``AgeHistogram``.
    package static let broadcastAge = KeptCounter("age.broadcast")
    /// The longest of these ages, in milliseconds.
    package static let longestBroadcast = KeptCounter("age.broadcast.longest")
    /// How old states were when phones reported that they show them, by the step of ``AgeHistogram``.
    package static let shownAge = KeptCounter("age.shown")
    /// The longest of these ages, in milliseconds.
    package static let longestShown = KeptCounter("age.shown.longest")
}

extension KeptCounter {
    /// The detail that stands for all details beyond the limit.
    package static let otherDetail = "other"

    /// The most types of an app with numbers of their own.
    package static let typeLimit = 100

    /// Whether it keeps one number for the whole life of the activity, instead of one for each span of time.
    package var isOfWholeLife: Bool {
        self == .phase || self == .failure || self == .death || detailLimit != nil
    }

    /// Whether the type of an activity has the number too. States of replicas and versions belong to one activity.
    package var isOfTypes: Bool { self != .showing && self != .dismissedAfter }

    /// Whether a number that is added replaces a lower one.
    package var isMaximum: Bool { Self.maxima.contains(self) }

    /// The number that comes of adding `value` to `former`.
    package func adding(_ value: Int, to former: Int) -> Int { isMaximum ? max(former, value) : former + value }

    package static let maxima: [KeptCounter] = [.longestAccepted, .longestShown, .longestBroadcast]

    /// The most details that are told apart; nil if the program itself knows all of them.
    package var detailLimit: Int? {
        if self == .showing || self == .dismissedAfter { return 200 }
        // Not `contains(":")`, which compares as Foundation does, by the rules of languages.
        guard name.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return isLevel ? 50 : 20
    }
}
