import EyotCommands
import EyotDomain

/// How many lines of one request may still be processed. Each counts as a call of its own, so that lines are no way
/// around the limits of key and app.
struct LineAllowance {
    let gate: CallGate
    let caller: Caller
    /// The state of the limit, of key or app, that has less left; nil until a line was counted.
    private(set) var standing: RateStanding?
    /// The error of the first line beyond the limit, and of every later line. Otherwise a later line of an activity
    /// could be done before an earlier one.
    private var refusal: EyotError?

    init(gate: CallGate, caller: Caller) {
        self.gate = gate
        self.caller = caller
    }

    /// Counts a line. The first line is covered by the count of the request itself.
    ///
    /// - Returns: the reason that the line is refused; nil if it may be done.
    mutating func take(index: Int, at now: Instant) async -> EyotError? {
        guard refusal == nil, index > 0 else { return refusal }
        standing = await gate.take(caller.key, caller.app?.id, at: now)
        guard let wait = standing?.wait else { return nil }
        refusal = EyotError(
            .tooManyCalls,
            "each line counts as a call, and the key or its app has sent too many: retry in "
                + "\(Int(wait.rounded(.up))) seconds")
        return refusal
    }
}
