import APNSWire
import EyotCommands
import EyotDomain

/// Options of calls, and repeated calls. Their randomness is separate, so that the course of other plans does not
/// change.
extension Simulation {
    /// Whether the plan has options. Some have none.
    private var hasWishes: Bool { plan.troubles.contains(.wishes) && plan.seed % 3 == 0 }

    /// Adds a backend's options to a call.
    func wish(_ request: inout DeclarationRequest) {
        guard hasWishes else { return }
        if further.percent(10) { request.content.isUrgent = true }
        if further.percent(20) { request.content.priority = further.percent(50) ? .immediate : .considerate }
        guard request.verb == .start else { return }
        if further.percent(10) { request.isForced = true }
        // With lists and live audiences it is unknown when a phone was asked.
        let isAtOnce = request.live == nil && request.canary == nil && inlineLimit > 1
        if isAtOnce, further.percent(20) { request.restartsDismissed = true }
    }

    /// Records that the call may start dismissed cards again (R13).
    func noteRestart(_ request: DeclarationRequest, in generation: SimulationRecord.Generation) {
        guard request.restartsDismissed else { return }
        record.dismissed[generation] = nil
        record.wantedBack[generation] = time
    }

    // MARK: Calls that come again

    /// Applies a call with an idempotency key. It may be repeated later.
    func take(_ wish: DeclarationRequest, with key: Idempotency?) throws {
        var isNew = false
        let once = AnswerOnce(Transaction(try ledger, at: now), app: app)
        func act() throws -> Int {
            isNew = true
            try take(wish)
            return 202
        }
        _ = try once(key, repeating: \.status, keeping: { KeptAnswer(status: $0, body: nil) }, act: act)
        guard let key else { return }
        if isNew, record.answeredCalls[key.key] != nil { record.violate("R14: a call that came again acts again") }
        if !isNew { record.note("a call comes again") }
        record.answeredCalls[key.key] = isNew ? time : record.answeredCalls[key.key]
    }

    /// Returns the key of the next call; nil for none.
    func nextKey(of wish: DeclarationRequest) -> Idempotency? {
        guard hasWishes, further.percent(40) else { return nil }
        callsMade += 1
        let key = Idempotency(key: "call-\(callsMade)", digest: [UInt8(truncatingIfNeeded: callsMade)])
        lastCall = (wish, key)
        return key
    }

    /// Repeats the last call, as a backend without an answer does.
    func repeatCall() throws {
        guard hasWishes, further.percent(10), let (wish, key) = lastCall else { return }
        let isKept = record.answeredCalls[key.key].map { time.seconds(since: $0) < Idempotency.lifetime - skew }
        guard isKept ?? true else { return }
        // The fault `answersForgotten`: the call counts as new.
        if fault == .answersForgotten { try write { _ = try ledger.forgetAnswers(before: now + 1, limit: .max) } }
        try declare(wish, with: key)
    }
}
