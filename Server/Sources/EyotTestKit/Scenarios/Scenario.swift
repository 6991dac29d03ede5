import APNSWire
import EyotCommands
import EyotContract
import EyotDomain

/// One story: what happens when, which pushes have to leave, and what the phones have to show in the end.
package struct Scenario: Sendable, CustomStringConvertible {
    package var name: String
    package var steps: [Step]
    /// One line a push: `second phone event state`, with `!` where it alerts. `a.2` is the second card of phone a.
    package var pushes: [String]
    /// What each phone shows in the end.
    package var phones: [String: String]
    /// When it is over, in seconds from its beginning.
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

    /// Something that happens at a moment, in seconds from the beginning.
    package struct Step: Sendable {
        package var time: Double
        package var event: Event
    }

    /// What a scenario may say of one push's fate.
    package struct Fate: Sendable {
        package var verdict: PushVerdict
        /// Whether the phone gets it; only an accepted or unknown push can arrive.
        package var arrives: Bool
        /// For 410: seconds from the beginning since when the token was dead.
        package var deadSince: Double?
        /// The verdict comes only with ``Event/answers``; those of others on its page come before.
        package var isLate = false

        package static let accepted = Fate(verdict: .accepted, arrives: true)
        /// It arrived, and the answer was lost.
        package static let answerLost = Fate(verdict: .unknown, arrives: true)
        /// Apple took it, and the phone never got it: a later one took its place while the phone was away.
        package static let dropped = Fate(verdict: .accepted, arrives: false)
        /// It may have been lost altogether.
        package static let lost = Fate(verdict: .unknown, arrives: false)
        /// It was lost, which is known late.
        package static let lostLate = Fate(verdict: .unknown, arrives: false, isLate: true)
        package static let notProcessed = Fate(verdict: .notProcessed, arrives: false)
        /// It has not left, which is known late.
        package static let notProcessedLate = Fate(verdict: .notProcessed, arrives: false, isLate: true)
        /// Accepted, and Apple's answer takes its time.
        package static let late = Fate(verdict: .accepted, arrives: true, isLate: true)

        package static func refused(_ reason: APNSReason, deadSince: Double? = nil, isLate: Bool = false) -> Fate {
            Fate(verdict: .refused(reason), arrives: false, deadSince: deadSince, isLate: isLate)
        }
    }

    package enum Event: Sendable {
        /// A phone registers with its start token. Its user is `user-` and its name; all have the tag `fans`.
        case phone(String, tags: Set<String> = ["fans"], os: OSVersion = OSVersion(18), allows: Bool = true)
        /// A call of a backend. Errors are expected by ``refused``.
        case call(DeclarationRequest, key: String? = nil)
        /// Calls that come so fast that who is on a list of one is told after the last of them.
        case calls([DeclarationRequest])
        /// A call that has to fail with this code.
        case refused(DeclarationRequest, EyotError.Code)
        /// The app starts a card itself; its token follows at once unless it is held back.
        case local(String, name: String, token: Bool = true)
        /// A phone gets a new start token.
        case startToken(String)
        /// The n-th card of a phone gets a token: its first, or a new one.
        case token(String, card: Int = 1)
        /// The phone repeats its newest registration of a card with the token it has.
        case again(String, card: Int = 1)
        /// Something happened to a card. What the app shows by itself is the state 0.
        case report(String, CardEvent, card: Int = 1)
        /// The app starts one more card, a person removes another one in that moment, and one report says both.
        case swap(String, name: String, vanishing: Int)
        /// A person removes the phone's first card while its app does not run.
        case removes(String)
        /// The phone lists what runs.
        case lists(String)
        /// The phone lists what runs, and leaves everything out: its app has looked too early.
        case forgets(String)
        /// The person lets remotely started cards have tokens; those that wait get theirs.
        case allow(String)
        /// The fate of the next pushes, in order; after them pushes are accepted again.
        case fates([Fate])
        /// Late answers come in.
        case answers
        /// The process dies and starts again; answers that were on their way are lost.
        case crash
        /// The clock steps.
        case clock(by: Double)
        case resume
        /// The operator halts or resumes the app, its type, or an activity by its name.
        case halt(Halt.Switch, Bool, name: String = "m")
        /// The operator brings tokens back that count as dead.
        case restore(RestoreTokens.Selection, reason: APNSReason? = nil)
        /// The type's profile is another one.
        case profile(spacing: Int, sparing: Int? = nil, startsPerHour: Int = 100)
        /// The person lets the app have frequent pushes, or does not.
        case frequentPushes(String, Bool)
    }
}

package func at(_ time: Double, _ events: Scenario.Event...) -> [Scenario.Step] {
    events.map { Scenario.Step(time: time, event: $0) }
}
