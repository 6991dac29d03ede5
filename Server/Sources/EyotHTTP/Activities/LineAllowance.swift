import EyotCommands
import EyotDomain

/// How many lines of one request may still be done: each counts as a call of its own, so that very many in one request are no way around
/// the limits of key and app.
struct LineAllowance {
    let gate: CallGate
    let caller: Caller
    /// How the one of key and app stands that has less left; nil until a line was counted.
    private(set) var standing: RateStanding?
    /// What the first line beyond the limit was told, and every later one is: else one could be done before an earlier one of the same
    /// activity.
    private var refusal: EyotError?

    init(gate: CallGate, caller: Caller) {
        self.gate = gate
        self.caller = caller
    }

    /// Counts a line. The first one is what the request itself was counted for.
    ///
    /// - Returns: why it is not done; nil where it may be.
    mutating func take(index: Int, at now: Instant) -> EyotError? {
        guard refusal == nil, index > 0 else { return refusal }
        standing = gate.take(caller.key, caller.app?.id, at: now)
        guard let wait = standing?.wait else { return nil }
        refusal = EyotError(
            .tooManyCalls,
            "each line counts as a call, and this key, or its app, has made too many: go on in \(Int(wait.rounded(.up))) seconds"
        )
        return refusal
    }
}
