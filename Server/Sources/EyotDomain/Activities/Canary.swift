import APNSWire
import EyotContract

/// A declaration that is tried out: a first share of the ring has it, everybody else keeps what they had. If Apple takes it,
/// it goes on to everyone by itself; if not, nothing more is sent for the activity until somebody decides.
package struct Canary: Sendable, Hashable {
    /// What the caller asked for.
    package struct Terms: Sendable, Hashable {
        /// The share, of the activity's ordinals. With more than half there is little left to protect.
        package static let percentRange = 0.1...50.0
        package static let refusalRange = 0.0...0.5
        package static let waitRange = 0.0...3_600.0

        package var percent: Double
        /// The part of the answers that may be refusals or may never come.
        package var maximumRefusals: Double
        /// For how long the share is left alone with it, in seconds, before everybody else gets it.
        package var waitSeconds: Double

        package init(percent: Double, maximumRefusals: Double = 0.02, waitSeconds: Double = 30) {
            self.percent = percent
            self.maximumRefusals = maximumRefusals
            self.waitSeconds = waitSeconds
        }

        /// The last ordinal of the share, of so many.
        package func share(of ordinals: Int) -> Int { Int((percent / 100 * Double(ordinals)).rounded(.up)) }
    }

    package enum Stage: Sendable, Hashable {
        /// The share is being brought up to date. Once that has come to rest but for some who have to wait, those are waited
        /// for until this moment.
        case delivering(until: Instant?)
        /// The share has it, as far as that can be. Then it goes on.
        case waiting(until: Instant)
        case passed(at: Instant)
        /// - halts: whether it halted the activity, which was not halted by an operator already.
        case failed(at: Instant, halts: Bool)
    }

    /// What Apple said to the pushes that carried it.
    package struct Answers: Sendable, Hashable {
        package var accepted = 0
        /// Refused for what the push says or how it is said; see ``APNSReasonAction/dropPush``.
        package var refused = 0
        /// No answer came.
        package var unknown = 0
        /// Refused for what is the matter with the token: they say nothing of the push, but that Apple was asked.
        package var aside = 0

        package init() {}

        package var count: Int { accepted + refused + unknown }
    }

    /// Whom a declaration is tried out with.
    package struct Share: Sendable, Hashable {
        package var version: Int
        /// The last ordinal.
        package var upTo: Int
    }

    /// Before the share has been delivered, answers are judged as if there were at least so many: of the first three one bad
    /// one says little.
    package static let leastAnswers = 100
    /// Seconds for which those are waited for who alone are left to be brought up to date: one throttled token must not hold
    /// everybody else (R10).
    package static let patience = 10.0

    package var terms: Terms
    /// The declaration.
    package var version: Int
    /// The first one of those that took each other's place without having gone to everyone.
    package var oldest: Int
    /// What the share is to show.
    package var common: DeclaredForEveryone
    /// The last ordinal of the share.
    package var upTo = 0
    package var stage = Stage.delivering(until: nil)
    package var answers = Answers()

    package init(terms: Terms, version: Int, oldest: Int, common: DeclaredForEveryone) {
        self.terms = terms
        self.version = version
        self.oldest = oldest
        self.common = common
    }
}

extension Canary {
    /// Whether somebody still does not have what it is about: it is under way, or has failed.
    package var isOpen: Bool {
        if case .passed = stage { return false }
        return true
    }

    /// Whether the share is still being brought up to date.
    package var isDelivering: Bool {
        if case .delivering = stage { return true }
        return false
    }

    package var hasFailed: Bool {
        if case .failed = stage { return true }
        return false
    }

    package var share: Share { Share(version: version, upTo: upTo) }

    package func contains(_ ordinal: Int) -> Bool { ordinal <= upTo }

    /// Whether some of these are within the share and some are not.
    package func divides(_ ordinals: ClosedRange<Int>) -> Bool {
        isOpen && contains(ordinals.lowerBound) && !contains(ordinals.upperBound)
    }

    /// When time alone makes something due.
    package var lookAt: Instant? {
        switch stage {
        case .delivering(let until): until
        case .waiting(let until): until
        case .passed, .failed: nil
        }
    }

    /// Takes in what Apple said to a push, so many times.
    package mutating func count(_ verdict: PushVerdict, of push: Push, times: Int = 1) {
        guard isOpen, push.version == version else { return }
        switch verdict.reason?.action {
        case nil where verdict == .accepted: answers.accepted += times
        case nil where verdict == .unknown: answers.unknown += times
        case .dropPush: answers.refused += times
        case .buryToken, .suspectToken, .slowToken: answers.aside += times
        // These speak of Apple, or of the app's key, for which the app is paused.
        case nil, .retryLater, .renewProviderToken, .pauseApp, .pauseChannels: break
        }
    }

    /// Whether more went wrong than may.
    package var isOverLimit: Bool {
        var judged = answers.count
        if case .delivering = stage { judged = max(judged, Self.leastAnswers) }
        return Double(answers.refused + answers.unknown) > terms.maximumRefusals * Double(judged)
    }

    /// Takes in that the activity has come to rest.
    ///
    /// - Parameters:
    ///   - owes: somebody is behind and has to wait.
    ///   - isHolding: a pause passes over some, and the share is everybody.
    ///   - spacing: for how long a type's profile may make a card wait, in seconds.
    ///   - startsAt: when the last planned start leaves.
    mutating func rest(owes: Bool, isHolding: Bool, spacing: Int, startsAt: Instant?, at now: Instant) {
        guard case .delivering(let end) = stage else { return }
        let limit = now + Double(spacing) + Self.patience
        let until = min(end ?? limit, limit)
        let isHeard = answers.count + answers.aside > 0
        if owes, now < until {
            stage = .delivering(until: until)
        } else if owes, !isHeard {
            // Apple cannot be reached, or all whom it is tried out with are to be started later. Nothing has been tried out yet.
            stage = .delivering(until: max(now, startsAt ?? now) + Self.patience)
        } else if isHolding, answers.count == 0 {
            // It goes on when they can be asked.
            stage = .delivering(until: nil)
        } else {
            // Where nobody has answered there is nothing to be learned from waiting.
            stage = .waiting(until: answers.count == 0 ? now : now + terms.waitSeconds)
        }
    }

    /// What an operator should know of it before resuming the activity, which goes on with everyone, whoever halted it.
    package var complaint: String? {
        guard hasFailed else { return nil }
        return
            "the canary of version \(version) failed: of \(answers.count) answers \(answers.refused) were refusals and "
            + "\(answers.unknown) never came; resume goes on with everyone"
    }
}
