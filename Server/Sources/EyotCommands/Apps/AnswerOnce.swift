import EyotDomain

/// Does what a request asks for once, however often it comes, and answers each time what it answered first (R14).
///
/// What is done and what is kept is one transaction, so of two that come at once one acts and the other is answered. A request
/// that throws has done nothing and is not kept: its repetition is judged anew.
package struct AnswerOnce {
    /// Answers that are too old, forgotten with each one that is kept: more than come, so that they do not pile up.
    private static let forgetting = 20

    let ledger: any Ledger
    let app: AppID?
    let now: Instant

    /// - Parameter app: whose key it is; nil is an operator's request that is about no app.
    package init(ledger: any Ledger, app: AppID?, now: Instant) {
        self.ledger = ledger
        self.app = app
        self.now = now
    }

    /// - Parameters:
    ///   - request: nil where the caller gave no key; then every request acts.
    ///   - keeping: says what of an answer is kept for repetitions.
    ///   - act: does it, and says what to answer.
    /// - Throws: `idempotencyConflict` where the key came with another request, and what `act` throws.
    package func callAsFunction<Answer>(
        _ request: Idempotency?, repeating: (KeptAnswer) throws -> Answer, keeping: (Answer) -> KeptAnswer,
        act: () throws -> Answer
    ) throws -> Answer {
        guard let request else { return try act() }
        if let first = try first(of: request) { return try repeating(first) }
        let answer = try act()
        try ledger.forgetAnswers(before: oldest, limit: Self.forgetting)
        try ledger.keep(
            AnsweredRequest(app: app, request: request, answer: keeping(answer), answeredAt: now),
            limit: KeptAnswer.limit)
        return answer
    }

    /// What the request was answered when it came first, nil where it has not come. It only reads.
    ///
    /// - Throws: `idempotencyConflict` where the key came with another request.
    package func first(of request: Idempotency) throws -> KeptAnswer? {
        guard let first = try ledger.answeredRequest(key: request.key, of: app), first.answeredAt > oldest else {
            return nil
        }
        guard first.request == request else {
            throw EyotError(
                .idempotencyConflict, "key \(request.key) came with another request before",
                field: "Idempotency-Key")
        }
        return first.answer
    }

    private var oldest: Instant { now + -Idempotency.lifetime }
}
