import APNSWire
import EyotContract

/// A declaration that a first share of the ordinals gets before the others. If Apple accepts it, it goes on to everyone
/// by itself. Otherwise the activity is halted until a call or an operator decides.
package struct Canary: Sendable, Hashable {
    /// The terms that the caller asked for.
    package struct Terms: Sendable, Hashable {
        /// The share, in percent of the activity's ordinals. More than half would leave little to protect.
        package static let percentRange = 0.1...50.0
        package static let refusalRange = 0.0...0.5
        package static let waitRange = 0.0...3_600.0

        package var percent: Double
        /// The part of the answers that may be refusals or may be missing, from 0 to 1.
        package var maximumRefusals: Double
        /// Seconds for which only the share has the declaration, before it goes on to everyone.
        package var waitSeconds: Double

        package init(percent: Double, maximumRefusals: Double = 0.02, waitSeconds: Double = 30) {
            self.percent = percent
            self.maximumRefusals = maximumRefusals
            self.waitSeconds = waitSeconds
        }

        /// The last ordinal of the share when there are `ordinals` of them.
        package func share(of ordinals: Int) -> Int { Int((percent / 100 * Double(ordinals)).rounded(.up)) }
    }

    package enum Stage: Sendable, Hashable {
        /// The share is being brought up to date. When only replicas that have to wait are left, they are waited for
        /// until this moment; nil before that.
        case delivering(until: Instant?)
        /// The share has the declaration, except for replicas that could not get it. It goes on at this moment.
        case waiting(until: Instant)
        case passed(at: Instant)
        /// - halts: whether the canary halted the activity. False if an operator had already done so.
        case failed(at: Instant, halts: Bool)
    }

    /// Counts of Apple's answers to the pushes that carried it.
    package struct Answers: Sendable, Hashable {
        package var accepted = 0
        /// Refused because of the push itself; see ``APNSReasonAction/dropPush``.
        package var refused = 0
        /// No answer came.
        package var unknown = 0
        /// Refused because of the token. These say nothing of the push, but prove that Apple was asked.
        package var aside = 0

        package init() {}

        package var count: Int { accepted + refused + unknown }
    }

    /// The replicas that a declaration is tried with: ordinals 1 to ``upTo``.
    package struct Share: Sendable, Hashable {
        package var version: Version
        /// The last ordinal.
        package var upTo: Int
    }

    /// The least number of answers by which a canary is judged while it is being delivered. One bad answer among the
    /// first three says little.
    package static let leastAnswers = 100
    /// Seconds for which a canary waits for its last replicas before it proceeds. One throttled token must not block
    /// the others (R10).
    package static let patience = 10.0

    package var terms: Terms
    /// The declaration that is tried.
    package var version: Version
    /// The oldest of the tried declarations that superseded each other without going on to everyone.
    package var oldest: Version
    /// The declarations for everyone that count for the share.
    package var common: CommonState
    /// The last ordinal of the share.
    package var upTo = 0
    package var stage = Stage.delivering(until: nil)
    package var answers = Answers()

    package init(terms: Terms, version: Version, oldest: Int, common: CommonState) {
        self.terms = terms
        self.version = version
        self.oldest = oldest
        self.common = common
    }
}

extension Canary {
    /// Whether some replicas do not have its declaration yet: it is under way, or has failed.
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

    /// Whether some of these ordinals are within the share and some are not.
    package func divides(_ ordinals: ClosedRange<Int>) -> Bool {
        isOpen && contains(ordinals.lowerBound) && !contains(ordinals.upperBound)
    }

    /// When time alone makes something due; nil if it never does.
    package var lookAt: Instant? {
        switch stage {
        case .delivering(let until): until
        case .waiting(let until): until
        case .passed, .failed: nil
        }
    }

    /// Adds Apple's verdict on a push, `times` times.
    package mutating func count(_ verdict: PushVerdict, of push: Push, times: Int = 1) {
        guard isOpen, push.version == version else { return }
        switch verdict.reason?.action {
        case nil where verdict == .accepted: answers.accepted += times
        case nil where verdict == .unknown: answers.unknown += times
        case .dropPush: answers.refused += times
        case .buryToken, .suspectToken, .slowToken: answers.aside += times
        // These concern Apple or the app's key. The app is paused for them, and the canary does not count them.
        case nil, .retryLater, .renewProviderToken, .pauseApp, .pauseChannels: break
        }
    }

    /// Whether more answers are refusals or missing than the terms allow.
    package var isOverLimit: Bool {
        var judged = answers.count
        if case .delivering = stage { judged = max(judged, Self.leastAnswers) }
        return Double(answers.refused + answers.unknown) > terms.maximumRefusals * Double(judged)
    }

    /// Advances the stage when the activity has come to rest.
    ///
    /// - Parameters:
    ///   - owes: whether a replica is behind and has to wait.
    ///   - isHolding: whether a pause skipped replicas, and the share is all ordinals.
    ///   - spacing: seconds for which the profile of the type may make a card wait.
    ///   - startsAt: when the last planned start leaves.
    mutating func rest(hasWaitingReplicas: Bool, isHolding: Bool, spacing: Int, startsAt: Instant?, at now: Instant) {
        guard case .delivering(let end) = stage else { return }
        let limit = now + Double(spacing) + Self.patience
        let until = min(end ?? limit, limit)
        let isHeard = answers.count + answers.aside > 0
        if hasWaitingReplicas, now < until {
            stage = .delivering(until: until)
        } else if hasWaitingReplicas, !isHeard {
            // Apple cannot be reached, or all replicas of the share start later. Nothing has been tried yet.
            stage = .delivering(until: max(now, startsAt ?? now) + Self.patience)
        } else if isHolding, answers.count == 0 {
            // It goes on when the pause is over and these replicas can be asked.
            stage = .delivering(until: nil)
        } else {
            // Without an answer, a wait would teach nothing.
            stage = .waiting(until: answers.count == 0 ? now : now + terms.waitSeconds)
        }
    }

    /// What an operator should know before a resume, which sends the declaration to everyone; nil unless the canary
    /// failed.
    package var complaint: String? {
        guard hasFailed else { return nil }
        return
            "the canary of version \(version) failed: of \(answers.count) answers, \(answers.refused) were refusals "
            + "and \(answers.unknown) never came; a resume proceeds to all cards"
    }
}
