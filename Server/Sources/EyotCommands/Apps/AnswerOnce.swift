import EyotDomain

/// The single execution of a repeated request: acts the first time, and then repeats the first answer (R14).
///
/// The action and its kept answer are one transaction. So if a request comes twice at once, one acts and the other gets
/// the answer. A request that throws has changed nothing and is not kept, so a repetition is judged anew.
package struct AnswerOnce: UseCase {
    package let transaction: Transaction
    let app: AppID?

    /// - Parameter app: The app of the key, or nil for an operator's request without an app.
    package init(_ transaction: Transaction, app: AppID?) {
        self.transaction = transaction
        self.app = app
    }

    /// Performs a request, or repeats its answer.
    ///
    /// - Parameters:
    ///   - request: The key and digest of the request. Nil if the caller sent no key: then every request acts.
    ///   - keeping: Converts an answer to what is kept for repetitions.
    ///   - act: Performs the request and returns the answer.
    /// - Throws: `idempotencyConflict` if the key came with another request, and the errors of `act`.
    package func callAsFunction<Answer>(
        _ request: Idempotency?, repeating: (KeptAnswer) throws -> Answer, keeping: (Answer) -> KeptAnswer,
        act: () throws -> Answer
    ) throws -> Answer {
        guard let request else { return try act() }
        if let first = try first(of: request) { return try repeating(first) }
        let answer = try act()
        try ledger.keep(
            AnsweredRequest(app: app, request: request, answer: keeping(answer), answeredAt: now))
        return answer
    }

    /// The first answer to the request, or nil if the request is new. It only reads.
    ///
    /// - Throws: `idempotencyConflict` if the key came with another request.
    package func first(of request: Idempotency) throws -> KeptAnswer? {
        guard let first = try ledger.answeredRequest(key: request.key, of: app), first.answeredAt > oldest else {
            return nil
        }
        guard first.request == request else {
            throw EyotError(
                .idempotencyConflict, "the key \(request.key) was already used for another request",
                field: "Idempotency-Key")
        }
        return first.answer
    }

    private var oldest: Instant { now + -Idempotency.lifetime }
}
