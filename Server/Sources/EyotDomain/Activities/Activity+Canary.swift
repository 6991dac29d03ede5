import EyotContract

extension Activity {
    /// What has been declared for everyone.
    package var common: DeclaredForEveryone {
        get {
            var common = DeclaredForEveryone()
            (common.state, common.asOf, common.alert, common.urgent, common.end) =
                (everyone, everyoneAsOf, alert, urgent, end)
            return common
        }
        set {
            (everyone, everyoneAsOf, alert, urgent, end) =
                (newValue.state, newValue.asOf, newValue.alert, newValue.urgent, newValue.end)
        }
    }

    /// What has been declared for everyone, as far as it has come to this replica. The one place that knows who has what a
    /// canary tries out.
    package func common(for ordinal: Int) -> DeclaredForEveryone {
        guard let canary, isInShare(ordinal) else { return common }
        return canary.common
    }

    /// Whether it has what a canary tries out, and not all have it.
    package func isInShare(_ ordinal: Int) -> Bool { canary.map { $0.isOpen && $0.contains(ordinal) } ?? false }

    /// Whether a canary keeps a declaration for everyone from this replica.
    package func withholds(_ version: Int, from ordinal: Int) -> Bool {
        guard let canary, canary.isOpen else { return false }
        return version >= canary.oldest && !canary.contains(ordinal)
    }

    /// The newest version that may concern this replica: alerts up to it are older than a card that appears now.
    package func version(for ordinal: Int) -> Int {
        guard let canary, withholds(canary.oldest, from: ordinal) else { return version }
        return canary.oldest - 1
    }

    /// The newest state declared for everyone, whether or not all have it.
    package var declaredState: Int { openCanary?.common.state ?? everyone }

    /// A canary that is under way, or has failed.
    package var openCanary: Canary? { canary.flatMap { $0.isOpen ? $0 : nil } }

    /// Whether its end is tried out: nothing takes an end's place but another end (R5).
    package var isTryingItsEnd: Bool { openCanary?.common.end != nil }

    // MARK: Its course

    /// Begins one, in place of one that was under way: whoever has had a part of that stays in the share.
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

    /// Settles on whom a canary that has begun is for, once replicas have their places.
    ///
    /// - Parameter count: devices that are still to get theirs.
    package mutating func chooseShare(withoutPlace count: Int = 0) {
        guard let canary else { return }
        self.canary?.upTo = max(canary.upTo, canary.terms.share(of: nextOrdinal - 1 + count))
    }

    /// Something newer for everyone takes a canary's place. What was on its way to everyone was declared for everyone; what
    /// Apple did not take was not.
    mutating func endCanary() {
        if let open = openCanary {
            lift(open)
            if !open.hasFailed { common = open.common }
        }
        canary = nil
    }

    /// It goes on with everyone.
    mutating func goOn(at now: Instant) {
        guard let open = openCanary else { return }
        lift(open)
        common = open.common
        if end != nil { close(at: now) }
        canary?.stage = .passed(at: now)
        wake(at: now)
    }

    /// Nothing more is sent, and nobody else gets it, until an operator decides.
    private mutating func stopCanary(at now: Instant) {
        canary?.stage = .failed(at: now, halts: haltedAt == nil)
        haltedAt = haltedAt ?? now
    }

    private mutating func lift(_ canary: Canary?) {
        if case .failed(_, halts: true)? = canary?.stage { haltedAt = nil }
    }

    /// Judges a canary by what Apple has said so far.
    package mutating func judgeCanary(at now: Instant) {
        guard let canary, canary.isOpen, !canary.hasFailed, canary.isOverLimit else { return }
        stopCanary(at: now)
    }

    /// Takes in that the activity has come to rest, for its canary.
    ///
    /// - Parameter isHolding: a pause passes over some, and there is nobody else whom waiting for them would keep from it.
    package mutating func restCanary(owes: Bool, isHolding: Bool, spacing: Int, at now: Instant) {
        let isHolding = isHolding && canary.map { $0.upTo >= nextOrdinal - 1 } ?? false
        canary?.rest(owes: owes, isHolding: isHolding, spacing: spacing, startsAt: startsAt, at: now)
        judgeCanary(at: now)
    }

    /// The moment at which a canary has something due: what it is then is up to ``canaryStep(at:)``.
    package enum CanaryStep: Sendable, Hashable {
        case none
        case goOn
        /// Nobody of the share could be asked: it is twice as large now.
        case widen
    }

    package func canaryStep(at now: Instant) -> CanaryStep {
        guard let canary, case .waiting(let until) = canary.stage, until <= now else { return .none }
        guard canary.answers.count == 0 else { return .goOn }
        // Whom a pause passes over cannot be asked: then everybody is, before it goes on without an answer.
        let isSmall = passedOver.isEmpty ? 2 * canary.upTo < nextOrdinal - 1 : canary.upTo < nextOrdinal - 1
        return isSmall ? .widen : .goOn
    }

    mutating func widenCanary(at now: Instant) {
        if let former = canary?.upTo { canary?.upTo = max(1, 2 * former) }
        canary?.stage = .delivering(until: nil)
        wake(at: now)
    }

    // MARK: Halts

    /// An operator lets nothing be sent for it.
    package mutating func halt(at now: Instant) {
        haltedAt = haltedAt ?? now
        if case .failed(let failedAt, _)? = canary?.stage { canary?.stage = .failed(at: failedAt, halts: false) }
    }
}
