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

    /// The number of values of an event by one property of the phones.
    package init(_ kind: EventKind, by dimension: CountDimension) {
        self.init("\(kind.rawValue):\(dimension.rawValue)")
    }

    /// A count of cards with a first echo, by one property of their phones.
    package static func echoes(by dimension: CountDimension) -> KeptCounter {
        KeptCounter("echo:\(dimension.rawValue)")
    }
}

// MARK: - States, which go up and down

extension KeptCounter {
    /// Replicas now in each phase, by ``Replica/word``.
    package static let phase = KeptCounter("phase")
    /// Replicas now not started, by ``StartFailure``.
    package static let failure = KeptCounter("failure")
    /// Replicas now with a token of no use, by Apple's reason.
    package static let death = KeptCounter("death")
    /// Cards that now show a version, by version. 0 stands for a state that no declaration has.
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
    /// Cards with a first echo.
    package static let echoes = KeptCounter("echo")

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
    /// How old states were when phones reported that they show them, by the step of ``AgeHistogram``.
    package static let shownAge = KeptCounter("age.shown")
    /// The longest of these ages, in milliseconds.
    package static let longestShown = KeptCounter("age.shown.longest")
}

extension KeptCounter {
    /// The detail that stands for all details beyond the limit.
    package static let otherDetail = "other"

    /// Whether it keeps one number for the whole life of the activity, instead of one for each span of time.
    package var isOfWholeLife: Bool {
        self == .phase || self == .failure || self == .death || detailLimit != nil
    }

    /// Whether a number that is added replaces a lower one.
    package var isMaximum: Bool { self == .longestAccepted || self == .longestShown }

    /// The most details that are told apart; nil if the program itself knows all of them.
    package var detailLimit: Int? {
        if self == .showing || self == .dismissedAfter { return 200 }
        return name.contains(":") ? 20 : nil
    }
}

/// A property of phones by which some events are counted.
package enum CountDimension: String, Sendable, Hashable, CaseIterable {
    case os, build, language, environment

    /// The longest value that is kept, in characters.
    private static let longest = 40

    /// The value of a device.
    package func value(of device: Device) -> String {
        switch self {
        case .os: String(device.osVersion.major)
        case .build: String(device.appVersion.prefix(Self.longest))
        case .language: device.language.map { String($0.prefix(Self.longest)) } ?? "unknown"
        case .environment: device.environment.rawValue
        }
    }
}
