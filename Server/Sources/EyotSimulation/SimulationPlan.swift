import PhoneSimulator

/// The parameters of a simulation. The same plan gives the same run, down to the last push.
package struct SimulationPlan: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of trouble.
    package struct Troubles: OptionSet, Sendable, Hashable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Apple refuses pushes, for any reason in its table.
        package static let refusals = Troubles(rawValue: 1)
        /// Pushes and answers are lost, or do not leave.
        package static let losses = Troubles(rawValue: 2)
        /// The server dies and starts again.
        package static let crashes = Troubles(rawValue: 4)
        /// Phones' requests, their answers and hints are lost.
        package static let silence = Troubles(rawValue: 8)
        /// The server's clock is set forward by up to three hours, so that cards expire.
        package static let clock = Troubles(rawValue: 16)
        /// Operators halt and resume sending.
        package static let halts = Troubles(rawValue: 32)
        /// Tokens are appended to the log of arrivals and merged later.
        package static let floods = Troubles(rawValue: 64)
        /// Activities have channels, and Apple may lose one.
        package static let channels = Troubles(rawValue: 128)
        /// Canaries try declarations with a share first.
        package static let canaries = Troubles(rawValue: 256)
        /// Several nodes, each with a clock of its own, stall, leave and return.
        package static let nodes = Troubles(rawValue: 512)
        /// Audiences are live, and users join them.
        package static let live = Troubles(rawValue: 1_024)
        /// Apple refuses the app's keys in one environment for a time. Phones are of both environments.
        package static let keys = Troubles(rawValue: 2_048)
        /// Calls have options such as urgency, priority and restarts, and are repeated.
        package static let wishes = Troubles(rawValue: 4_096)
        /// The database goes back to a copy while phones do not.
        package static let histories = Troubles(rawValue: 8_192)
        /// All but ``histories``, which has plans of its own.
        package static let all: Troubles = [
            .refusals, .losses, .crashes, .silence, .clock, .halts, .floods, .channels, .canaries, .nodes, .live, .keys,
            .wishes,
        ]
        static let names: [(Troubles, String)] = [
            (.refusals, "refusals"), (.losses, "losses"), (.crashes, "crashes"), (.silence, "silence"),
            (.clock, "clock"), (.halts, "halts"), (.floods, "floods"),
            (.channels, "channels"),
            (.canaries, "canaries"), (.nodes, "nodes"), (.live, "live audiences"),
            (.keys, "keys"), (.wishes, "wishes"), (.histories, "histories"),
        ]
    }

    /// The number of actions after which everything comes to rest and the oracle checks. The next call must not hide a
    /// lost wake-up.
    static let round = 15

    package var seed: UInt64
    /// The number of actions of backends, people, the network and time.
    package var actions: Int
    package var phones: Int
    package var troubles: Troubles
    /// The phones' behaviour that Apple has not documented.
    package var rules: PhoneRules

    package init(
        seed: UInt64, actions: Int = 60, phones: Int = 4, troubles: Troubles = .all, rules: PhoneRules = PhoneRules()
    ) {
        self.seed = seed
        self.actions = actions
        self.phones = phones
        self.troubles = troubles
        self.rules = rules
    }

    /// Returns one of many plans, larger and smaller. Every other one has phones that differ from the default.
    package static func any(seed: UInt64) -> SimulationPlan {
        SimulationPlan(
            seed: seed, actions: 30 * (1 + Int(seed % 5)), phones: 2 + Int(seed / 5 % 5),
            rules: seed.isMultiple(of: 2) ? PhoneRules() : .mixture(seed: seed))
    }

    /// Returns a plan in which the database goes back to copies. Channels, canaries and live audiences have plans of
    /// their own.
    package static func histories(seed: UInt64) -> SimulationPlan {
        SimulationPlan(
            seed: seed, actions: 60, phones: 2 + Int(seed / 5 % 3),
            troubles: [.losses, .crashes, .silence, .floods, .histories])
    }

    /// Returns a plan in which a standby without the last seconds takes the database over, with several nodes.
    package static func promotions(seed: UInt64) -> SimulationPlan {
        var plan = histories(seed: seed)
        plan.troubles.insert(.nodes)
        return plan
    }

    /// The number of nodes. Every fourth plan has several, and all in which a standby takes over.
    package var nodes: Int {
        guard troubles.contains(.nodes) else { return 1 }
        guard !troubles.contains(.histories) else { return 2 + Int(seed % 2) }
        return switch seed % 8 {
        case 1: 2
        case 5: 3
        default: 1
        }
    }

    /// Whether the phones of an activity are on several pages of the ring, as in a large one.
    package var isSpread: Bool { seed / 3 % 3 == 1 }

    package var description: String {
        let words = Troubles.names.filter { troubles.contains($0.0) }.map(\.1).joined(separator: ", ")
        let flipped = rules.differences.isEmpty ? "" : "; " + rules.differences.joined(separator: ", ")
        let several = nodes > 1 ? "\(nodes) nodes, " : ""
        let size = "\(actions) actions, \(phones) phones"
        return "seed \(seed), \(size), \(several)\(words.isEmpty ? "no trouble" : words)\(flipped)"
    }
}

/// A deliberate fault that the oracle must find. Each breaks one rule.
package enum PlantedFault: String, Sendable, Hashable, CaseIterable {
    /// R1: an activity rests despite declarations since its lap began, or since a verdict was stored.
    case restsUnseen
    /// R1: an operation counts as done when a lap ends, without regard to its pages.
    case conclusionsHasty
    /// R2: any number of pushes of an app is in flight.
    case flightsUnbounded
    /// R1: members of a ring page without a verdict are credited with the others.
    case openCredited
    /// R3: each declaration restarts the lap at the front.
    case lapsRestart
    /// R5: a phone does not apply an end in an answer, and the card counts as ended.
    case endsForgotten
    /// R6: after a crash a start with an unknown answer goes again.
    case startsAgain
    /// R7: a push carries the second of the push before it.
    case secondsRepeat
    /// R8: Apple's 410 counts as a lost answer.
    case deathsIgnored
    /// R8: a token is buried without an answer of Apple.
    case deathsAssumed
    /// R8: a token is set aside after one environment has refused it.
    case probesSpared
    /// R13: the report of a dismissal says that the card ended by itself.
    case dismissalsLost
    /// R4: a given alert counts as not given after every verdict.
    case alertsRepeat
    /// R4: after a crash alerts with an unknown answer go again.
    case alertsForgotten
    /// R4: an alert counts as given to all cards when it is declared.
    case alertsDropped
    /// R9: the newest declaration is gone after a crash.
    case declarationsLost
    /// R9: tokens in the log are removed there and not set.
    case tokensForgotten
    /// R8: a token in the log is set although its phone has reported a newer one since.
    case reportsOvertaken
    /// R1: a card with a token from the log counts as having the declarations that came while the token waited there.
    case arrivalsOverrated
    /// R1: a member list counts as processed after its first members.
    case membersForgotten
    /// R1: a scoped declaration skips members with pending starts.
    case comersPassedOver
    /// R9: the writes of a transaction in which the process died remain.
    case deathsCommit
    /// R14: a late call replaces the newest one.
    case lateCallersWin
    /// R14: the answer to a call is forgotten before the call is repeated.
    case answersForgotten
    /// R1: a broadcast with an unknown outcome counts as accepted.
    case broadcastsLost
    /// R1: a broadcast during starts is not repeated.
    case startsOvertaken
    /// R5: an end is broadcast once.
    case endsBroadcastOnce
    /// R12: a channel is free for another activity as soon as its own has ended.
    case channelsRestless
    /// R11: the pool of channels has no limit.
    case poolUnbounded
    /// R11: Apple's answer about a new channel counts as lost.
    case channelsForgotten
    /// A canary goes to everyone at once.
    case sharesIgnored
    /// R7: a node continues to push while another has the lease.
    case tenuresUnchecked
    /// R7: the pushes of a stalled node leave when it resumes, although another node may have the lease.
    case stampsLate
    /// R7: the verdicts of a page do not report the seconds of its stamps.
    case stampsForgotten

    /// R15: an event of a device is lost.
    case eventsLost
    /// R15: an event is recorded twice.
    case eventsTwice
    /// R15: the events of a transaction in which the process died are recorded anyway.
    case eventsOfUndone
    /// R15: an event is recorded after later ones, with its own moment.
    case eventsLate
    /// R15: an event is recorded after later ones, with a later moment.
    case eventsDisordered
    /// R15: a record of what Apple accepted is lost.
    case acceptancesLost
    /// R15: what Apple accepted for one card is recorded for another one.
    case acceptancesMisplaced
    /// R15: a finding says of a dismissed card that it has the newest state.
    case findingsRosy
    /// R15: a finding is certain that a person removed a card of which Apple has refused the token.
    case findingsSure
    /// R15: what happens in a transaction is counted twice.
    case countsTwice
    /// R15: the states of replicas are counted, and the credit of a page is not.
    case endsUncounted
    /// R15: the cards that have had an update are forgotten, and count again at their next one.
    case updatesForgotten
    /// R15: cards that end are not counted by one property of their phones.
    case propertiesUncounted

    /// New members of a live audience are not looked at.
    case comersForgotten
    /// An alert's texts by language are lost.
    case languagesForgotten
    /// R10: a fault in one environment pauses the other one too.
    case pausesSpread
    /// R1: replicas that a pause skipped are not looked at again after it.
    case recallsForgotten
    /// R6, R13: new members of a live audience are started again although their card was removed.
    case comersRestarted
    /// R17: a restored database keeps its history, so phones do not report anew.
    case historiesKept
    /// R7: a restored database pushes in the second in which the former one did.
    case secondsRestored
    /// R15: the tenures of nodes go on when a standby takes over, and store what it does not know.
    case tenuresKept

    /// A plan that may show it.
    package func plan(seed: UInt64) -> SimulationPlan {
        switch self {
        case .historiesKept, .secondsRestored: .histories(seed: seed)
        case .tenuresKept: .promotions(seed: seed)
        default: SimulationPlan(seed: seed)
        }
    }

    /// The rule by which the oracle finds the fault.
    package var rule: String {
        switch self {
        case .restsUnseen, .conclusionsHasty, .membersForgotten, .comersPassedOver, .openCredited: "R1"
        case .flightsUnbounded: "R2"
        case .lapsRestart: "R3"
        case .alertsRepeat, .alertsForgotten, .alertsDropped: "R4"
        case .endsForgotten: "R5"
        case .startsAgain: "R6"
        case .secondsRepeat, .tenuresUnchecked, .stampsLate, .stampsForgotten: "R7"
        case .deathsIgnored, .deathsAssumed, .probesSpared, .reportsOvertaken: "R8"
        // The oracle sees a card that waits for its token forever.
        case .tokensForgotten: "R1"
        case .arrivalsOverrated: "R1"
        case .declarationsLost, .deathsCommit: "R9"
        case .dismissalsLost: "R13"
        case .lateCallersWin, .answersForgotten: "R14"
        case .broadcastsLost, .startsOvertaken: "R1"
        case .endsBroadcastOnce: "R5"
        case .channelsRestless: "R12"
        case .poolUnbounded, .channelsForgotten: "R11"
        case .sharesIgnored: "Canary"
        case .comersForgotten: "Live"
        case .languagesForgotten: "Language"
        case .pausesSpread: "R10"
        case .recallsForgotten: "R1"
        case .comersRestarted: "R13"
        case .historiesKept: "R1"
        case .secondsRestored: "R7"
        case .eventsLost, .eventsTwice, .eventsOfUndone, .eventsLate, .eventsDisordered, .countsTwice, .endsUncounted,
            .updatesForgotten, .propertiesUncounted, .acceptancesLost, .acceptancesMisplaced, .findingsRosy,
            .findingsSure,
            .tenuresKept:
            "R15"
        }
    }
}
