import PhoneSimulator

/// What is simulated. The same plan gives the same run, to the last push.
package struct SimulationPlan: Sendable, Hashable, CustomStringConvertible {
    /// What may go wrong.
    package struct Troubles: OptionSet, Sendable, Hashable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Apple refuses, with any reason of its table.
        package static let refusals = Troubles(rawValue: 1)
        /// Pushes and answers are lost, or do not leave at all.
        package static let losses = Troubles(rawValue: 2)
        /// The server dies and starts again.
        package static let crashes = Troubles(rawValue: 4)
        /// Requests of phones and their answers are lost; hints get lost.
        package static let silence = Troubles(rawValue: 8)
        /// The server's clock is set forward, by up to three hours: cards come to their end.
        package static let clock = Troubles(rawValue: 16)
        /// Operators halt what is sent, and resume it.
        package static let halts = Troubles(rawValue: 32)
        /// Tokens go into the log of arrivals, and are set at some later moment.
        package static let floods = Troubles(rawValue: 64)
        /// Activities have channels, of which Apple may lose one.
        package static let channels = Troubles(rawValue: 128)
        /// Declarations are tried out with a share first.
        package static let canaries = Troubles(rawValue: 256)
        /// Several nodes, each with a clock of its own, that stall, leave and come back.
        package static let nodes = Troubles(rawValue: 512)
        /// Audiences stay open, and people come to belong to them.
        package static let live = Troubles(rawValue: 1_024)
        /// Apple takes no key of the app's in one environment for a time; phones are of both.
        package static let keys = Troubles(rawValue: 2_048)
        /// Calls wish for urgency, priorities and restarts, and come again.
        package static let wishes = Troubles(rawValue: 4_096)
        package static let all: Troubles = [
            .refusals, .losses, .crashes, .silence, .clock, .halts, .floods, .channels, .canaries, .nodes, .live, .keys,
            .wishes,
        ]
        static let names: [(Troubles, String)] = [
            (.refusals, "refusals"), (.losses, "losses"), (.crashes, "crashes"), (.silence, "silence"),
            (.clock, "clock"), (.halts, "halts"), (.floods, "floods"),
            (.channels, "channels"),
            (.canaries, "canaries"), (.nodes, "nodes"), (.live, "live audiences"),
            (.keys, "keys"), (.wishes, "wishes"),
        ]
    }

    /// After so many actions everything is left to come to rest, and the oracle looks: what a lost wake-up left behind must not
    /// be hidden by the next call.
    static let round = 15

    package var seed: UInt64
    /// What backends, people, the network and time do.
    package var actions: Int
    package var phones: Int
    package var troubles: Troubles
    /// What phones do where Apple has published nothing.
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

    /// One of many: larger and smaller ones, every other one with phones that differ from the default.
    package static func any(seed: UInt64) -> SimulationPlan {
        SimulationPlan(
            seed: seed, actions: 30 * (1 + Int(seed % 5)), phones: 2 + Int(seed / 5 % 5),
            rules: seed.isMultiple(of: 2) ? PhoneRules() : .mixture(seed: seed))
    }

    /// How many nodes there are. Every fourth plan has several.
    package var nodes: Int {
        guard troubles.contains(.nodes) else { return 1 }
        return switch seed % 8 {
        case 1: 2
        case 5: 3
        default: 1
        }
    }

    /// Whether the phones of an activity are on several pages of the ring, as those of a large one are.
    package var isSpread: Bool { seed / 3 % 3 == 1 }

    package var description: String {
        let words = Troubles.names.filter { troubles.contains($0.0) }.map(\.1).joined(separator: ", ")
        let flipped = rules.differences.isEmpty ? "" : "; " + rules.differences.joined(separator: ", ")
        let several = nodes > 1 ? "\(nodes) nodes, " : ""
        let size = "\(actions) actions, \(phones) phones"
        return "seed \(seed), \(size), \(several)\(words.isEmpty ? "no trouble" : words)\(flipped)"
    }
}

/// Something that is broken on purpose, to see that the oracle notices. Each breaks one rule.
package enum PlantedFault: String, Sendable, Hashable, CaseIterable {
    /// R1: an activity goes to rest whatever was declared since its lap began, or since a verdict was stored.
    case restsUnseen
    /// R1: an operation counts as done when a lap is over, whatever comes of its pages.
    case conclusionsHasty
    /// R2: any number of pushes of an app is in flight.
    case flightsUnbounded
    /// R1: members of a page of the ring whose verdict is still to come are credited with the others.
    case openCredited
    /// R3: with every declaration the lap begins again at the front.
    case lapsRestart
    /// R5: an end in an answer to a phone is kept from it, and the card counts as ended.
    case endsForgotten
    /// R6: after a crash a start whose answer is unknown goes again.
    case startsAgain
    /// R7: a push carries the second of the push before it.
    case secondsRepeat
    /// R8: Apple's 410 is taken for an answer that was lost.
    case deathsIgnored
    /// R8: a token of which Apple has said nothing is buried.
    case deathsAssumed
    /// R8: a token is set aside when one environment has refused it.
    case probesSpared
    /// R13: the report of a dismissal says that the card ended by itself.
    case dismissalsLost
    /// R4: what was given counts as not given after every verdict.
    case alertsRepeat
    /// R4: an alert counts as given to those who have a card when it is declared.
    case alertsDropped
    /// R9: the newest declaration is gone after a crash.
    case declarationsLost
    /// R9: tokens that wait in the log are removed there and not set.
    case tokensForgotten
    /// R8: a token that waits in the log is set though its phone has reported a newer one since.
    case reportsOvertaken
    /// R1: a token that comes from the log counts as told what was declared while it waited there.
    case arrivalsOverrated
    /// R1: a list of members counts as told when its first ones were.
    case membersForgotten
    /// R1: what is declared for some is not for those of them who still wait for a place.
    case comersPassedOver
    /// R9: what a transaction wrote in which the process died is there.
    case deathsCommit
    /// R14: a call that came late takes the newest one's place.
    case lateCallersWin
    /// R14: what a call was answered is forgotten when it comes again.
    case answersForgotten
    /// R1: a broadcast of which nobody knows whether it reached Apple counts as accepted.
    case broadcastsLost
    /// R1: what was broadcast while starts were on their way is not broadcast again.
    case startsOvertaken
    /// R5: an end is broadcast once.
    case endsBroadcastOnce
    /// R12: another activity may have a channel as soon as its own has ended.
    case channelsRestless
    /// R11: the pool of channels has no limit.
    case poolUnbounded
    /// R11: what Apple says of a new channel counts as lost.
    case channelsForgotten
    /// What is tried out goes to everybody at once.
    case sharesIgnored
    /// R7: a node goes on pushing when another has the lease.
    case tenuresUnchecked
    /// R7: what a node had in its hands when it stalled leaves when it goes on, whoever has the lease.
    case stampsLate
    /// R7: with which seconds pushes were stamped is not told when their verdicts are.
    case stampsForgotten

    /// Who comes to belong to an audience that stays open is not looked at.
    case comersForgotten
    /// An alert's texts by language are lost on their way.
    case languagesForgotten
    /// R10: what is wrong in one environment pauses the other one, too.
    case pausesSpread
    /// R1: whom a pause has passed over is not looked at again when it is over.
    case recallsForgotten
    /// R6, R13: who comes to belong to an audience that stays open is started again where a card was removed.
    case comersRestarted

    /// The rule by which the oracle notices it.
    package var rule: String {
        switch self {
        case .restsUnseen, .conclusionsHasty, .membersForgotten, .comersPassedOver, .openCredited: "R1"
        case .flightsUnbounded: "R2"
        case .lapsRestart: "R3"
        case .alertsRepeat, .alertsDropped: "R4"
        case .endsForgotten: "R5"
        case .startsAgain: "R6"
        case .secondsRepeat, .tenuresUnchecked, .stampsLate, .stampsForgotten: "R7"
        case .deathsIgnored, .deathsAssumed, .probesSpared, .reportsOvertaken: "R8"
        // As the oracle sees it: the card waits for its token for ever.
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
        }
    }
}
