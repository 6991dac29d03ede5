import EyotContract

extension Activity {
    /// The declarations for everyone that apply to this replica. Only this function decides which replicas have a
    /// canary's declaration.
    package func common(for ordinal: Int) -> CommonState {
        guard let canary, isInShare(ordinal) else { return common }
        return canary.common
    }

    /// Whether the replica is in the share of a canary that is open.
    package func isInShare(_ ordinal: Int) -> Bool { canary.map { $0.isOpen && $0.contains(ordinal) } ?? false }

    /// Whether an open canary keeps a declaration for everyone from this replica.
    package func withholds(_ version: Version, from ordinal: Int) -> Bool {
        guard let canary, canary.isOpen else { return false }
        return version >= canary.oldest && !canary.contains(ordinal)
    }

    /// The newest version that may apply to this replica. Alerts up to it are older than a card that appears now.
    package func version(for ordinal: Int) -> Int {
        guard let canary, withholds(canary.oldest, from: ordinal) else { return version }
        return canary.oldest - 1
    }

    /// The newest state declared for everyone, including a state that is being tried.
    package var declaredState: Version { openCanary?.common.state ?? common.state }

    /// The canary, if it is under way or has failed.
    package var openCanary: Canary? { canary.flatMap { $0.isOpen ? $0 : nil } }

    /// Whether a canary tries its end. Only another end supersedes an end (R5).
    package var isTryingItsEnd: Bool { openCanary?.common.end != nil }

    // MARK: Its course

    /// Begins a canary. It replaces an open one, and its share contains the former share.
    mutating func tryOut(
        _ kind: Declaration.Kind, _ content: Content, on terms: Canary.Terms, asOf: Instant?, at now: Instant
    ) {
        let former = openCanary
        var tried = former.flatMap { $0.hasFailed ? nil : $0.common } ?? common
        tried.take(kind, version, content, asOf: asOf)
        lift(former)
        var canary = Canary(terms: terms, version: version, oldest: former?.oldest ?? version, common: tried)
        canary.upTo = former?.upTo ?? 0
        self.canary = canary
    }

    /// Sets the share of a canary that has begun, when replicas have their places.
    ///
    /// - Parameter count: devices that are still to get a place.
    package mutating func chooseShare(withoutPlace count: Int = 0) {
        guard let canary else { return }
        self.canary?.upTo = max(canary.upTo, canary.terms.share(of: nextOrdinal - 1 + count))
    }

    /// Ends the canary because something newer for everyone supersedes it. If it has not failed, its declarations count
    /// for everyone. If it failed, they do not.
    mutating func endCanary() {
        if let open = openCanary {
            lift(open)
            if !open.hasFailed { common = open.common }
        }
        canary = nil
    }

    /// Sends the canary's declaration on to everyone.
    mutating func proceed(at now: Instant) {
        guard let open = openCanary else { return }
        lift(open)
        common = open.common
        if end != nil { close(at: now) }
        canary?.stage = .passed(at: now)
        wake(at: now)
    }

    /// Fails the canary and halts the activity. Nothing is sent for it until a call or an operator decides.
    private mutating func stopCanary(at now: Instant) {
        canary?.stage = .failed(at: now, halts: haltedAt == nil)
        haltedAt = haltedAt ?? now
    }

    private mutating func lift(_ canary: Canary?) {
        if case .failed(_, halts: true)? = canary?.stage { haltedAt = nil }
    }

    /// Fails the canary if Apple's answers so far exceed its limit.
    package mutating func judgeCanary(at now: Instant) {
        guard let canary, canary.isOpen, !canary.hasFailed, canary.isOverLimit else { return }
        stopCanary(at: now)
    }

    /// Advances the canary when the activity has come to rest.
    ///
    /// - Parameter isHolding: whether a pause skipped replicas. It counts only if the share is all ordinals, because
    ///   otherwise the canary would delay other replicas.
    package mutating func restCanary(hasWaitingReplicas: Bool, isHolding: Bool, spacing: Int, at now: Instant) {
        let isHolding = isHolding && canary.map { $0.upTo >= nextOrdinal - 1 } ?? false
        canary?.rest(
            hasWaitingReplicas: hasWaitingReplicas, isHolding: isHolding, spacing: spacing, startsAt: startsAt, at: now)
        judgeCanary(at: now)
    }

    /// The step that is due for a canary, as ``canaryStep(at:)`` decides it.
    package enum CanaryStep: Sendable, Hashable {
        case none
        case proceed
        /// No replica of the share could be asked. The share doubles.
        case widen
    }

    package func canaryStep(at now: Instant) -> CanaryStep {
        guard let canary, case .waiting(let until) = canary.stage, until <= now else { return .none }
        guard canary.answers.count == 0 else { return .proceed }
        // Replicas that a pause skipped cannot be asked. The share then grows to all ordinals before the canary goes on
        // without an answer.
        let isSmall = skippedEnvironments.isEmpty ? 2 * canary.upTo < nextOrdinal - 1 : canary.upTo < nextOrdinal - 1
        return isSmall ? .widen : .proceed
    }

    mutating func widenCanary(at now: Instant) {
        if let former = canary?.upTo { canary?.upTo = max(1, 2 * former) }
        canary?.stage = .delivering(until: nil)
        wake(at: now)
    }

    // MARK: Halts

    /// Halts the activity for an operator. A halt of a failed canary becomes the operator's.
    package mutating func halt(at now: Instant) {
        haltedAt = haltedAt ?? now
        if case .failed(let failedAt, _)? = canary?.stage { canary?.stage = .failed(at: failedAt, halts: false) }
    }
}
