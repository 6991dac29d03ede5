import APNSWire
import EyotCommands
import EyotContract
import EyotDomain

/// A scenario: events in time, the pushes that must leave, and the final content of the phones.
package struct Scenario: Sendable, CustomStringConvertible {
    package var name: String
    package var steps: [Step]
    /// The expected pushes, one line each: `second phone event state`, with `!` for an alert. `a.2` is the second card
    /// of phone a.
    package var pushes: [String]
    /// The final content of each phone.
    package var phones: [String: String]
    /// The end of the scenario, in seconds from its beginning.
    package var until: Double

    package init(
        _ name: String, _ steps: [Step], pushes: [String], phones: [String: String] = [:], until: Double = 100
    ) {
        self.name = name
        self.steps = steps
        self.pushes = pushes
        self.phones = phones
        self.until = until
    }

    package var description: String { name }

    /// An event at a moment, in seconds from the beginning.
    package struct Step: Sendable {
        package var time: Double
        package var event: Event
    }

    /// The fate of one push.
    package struct Fate: Sendable {
        package var verdict: PushVerdict
        /// Whether the phone gets it. Only an accepted or unknown push can arrive.
        package var arrives: Bool
        /// The moment since which the token is dead, for 410, in seconds from the beginning.
        package var deadSince: Double?
        /// Whether the verdict comes only with ``Event/answers``, after the verdicts of others on its page.
        package var isLate = false
        /// Whether the app does not run when the card of a start appears, so that nothing is reported before
        /// ``Event/opens``.
        package var isUnseen = false

        package static let accepted = Fate(verdict: .accepted, arrives: true)
        /// The push arrived, and the answer was lost.
        package static let answerLost = Fate(verdict: .unknown, arrives: true)
        /// Apple accepted the push, and the phone never got it: a later push replaced it while the phone was away.
        package static let dropped = Fate(verdict: .accepted, arrives: false)
        /// The push was lost with an unknown outcome.
        package static let lost = Fate(verdict: .unknown, arrives: false)
        /// The push was lost, which is known late.
        package static let lostLate = Fate(verdict: .unknown, arrives: false, isLate: true)
        package static let notProcessed = Fate(verdict: .notProcessed, arrives: false)
        /// The push has not left, which is known late.
        package static let notProcessedLate = Fate(verdict: .notProcessed, arrives: false, isLate: true)
        /// The start was accepted and its card appears, while the app does not run.
        package static let unseen = Fate(verdict: .accepted, arrives: true, isUnseen: true)
        /// The push was accepted with a late answer.
        package static let late = Fate(verdict: .accepted, arrives: true, isLate: true)

        package static func refused(_ reason: APNSReason, deadSince: Double? = nil, isLate: Bool = false) -> Fate {
            Fate(verdict: .refused(reason), arrives: false, deadSince: deadSince, isLate: isLate)
        }
    }

    package enum Event: Sendable {
        /// A phone registers with its start token. Its user is `user-` and its name. The default tag is `fans`.
        case phone(String, tags: Set<String> = ["fans"], os: OSVersion = OSVersion(18), allows: Bool = true)
        /// A call of a backend. For an expected error use ``refused``.
        case call(DeclarationRequest, key: String? = nil)
        /// Calls so fast that pending members are processed only after the last of them.
        case calls([DeclarationRequest])
        /// A call that must fail with this code.
        case refused(DeclarationRequest, EyotError.Code)
        /// The app starts a card itself. Its token follows at once unless `token` is false.
        case local(String, name: String, token: Bool = true)
        /// A phone gets a new start token.
        case startToken(String)
        /// The n-th card of a phone gets a token, its first or a new one.
        case token(String, card: Int = 1)
        /// The phone repeats its newest registration of a card with the present token.
        case again(String, card: Int = 1)
        /// An event of a card. The app's own content is the state 0.
        case report(String, CardEvent, card: Int = 1)
        /// The app starts a card while a person removes another one. One report contains both.
        case swap(String, name: String, vanishing: Int)
        /// A person removes the phone's first card while its app does not run.
        case removes(String)
        /// The phone lists its running cards.
        case lists(String)
        /// The app is opened: one report lists the running cards and names these ones, in this order. If `removes` is
        /// true, the app then ends the older cards of a name, as the SDK does.
        case opens(String, naming: [Int], removes: Bool = true)
        /// The phone sends an empty list of running cards, because its app looked too early.
        case forgets(String)
        /// The person allows tokens for remotely started cards. Waiting cards get theirs.
        case allow(String)
        /// The fates of the next pushes, in order. Later pushes are accepted.
        case fates([Fate])
        /// Late answers arrive.
        case answers
        /// The process dies and starts again. Answers on their way are lost.
        case crash
        /// The clock is set forward, or back if negative, by seconds.
        case clock(by: Double)
        case resume
        /// An operator halts or resumes the app, its type, or an activity by its name.
        case halt(Halt.Switch, Bool, name: String = "m")
        /// An operator restores tokens that count as dead.
        case restore(RestoreTokens.Selection, reason: APNSReason? = nil)
        /// The type gets another profile.
        case profile(spacing: Int, sparing: Int? = nil, startsPerHour: Int = 100, restartAfter: Int = 28_800)
        /// The person allows frequent pushes, or disallows them.
        case frequentPushes(String, Bool)
    }
}

package func at(_ time: Double, _ events: Scenario.Event...) -> [Scenario.Step] {
    events.map { Scenario.Step(time: time, event: $0) }
}
