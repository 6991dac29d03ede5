import EyotDomain

/// The answer of a command, which repetitions of the call get again (R14).
package protocol CommandAnswer: Sendable {
    /// Makes the answer to a repetition.
    init(_ kept: KeptAnswer)
    /// The form that is kept for repetitions.
    var kept: KeptAnswer { get }
}

extension Commands {
    /// A change: one transaction, which may run again.
    package typealias Change<Answer> = @Sendable (any Ledger) throws -> Answer

    /// How many times a call is prepared before it fails.
    private static let attempts = 3

    /// Prepares a call by reading, then runs its change in one transaction. With an idempotency key the change runs
    /// once.
    ///
    /// It starts over if the activity opened a new generation meanwhile. It also starts over if the builds that could
    /// not decode the state have no cards left.
    ///
    /// - Throws: ``EyotError`` with `unavailable` if the call had to start over too many times, and the errors of
    ///   `prepare` and its change.
    package func execute<Answer: CommandAnswer>(
        _ request: CommandRequest, _ prepare: @Sendable (CommandRequest) async throws -> Change<Answer>
    ) async throws -> Answer {
        if let first: Answer = try await firstAnswer(to: request) { return first }
        var request = request
        for _ in 0..<Self.attempts {
            do {
                return try await perform(await prepare(request), of: request)
            } catch is MembersOutdated {
                continue
            } catch let doubt as SchemaDoubt {
                request.buildsGone.formUnion(try await store.read { try doubt.resolved(by: $0) })
            }
        }
        throw EyotError(
            .unavailable, "the activity was restarted several times while its members were searched")
    }

    /// The first answer of a repeated call, before anything is prepared. Names, times and members may have changed
    /// since, and do not matter (R14).
    private func firstAnswer<Answer: CommandAnswer>(to request: CommandRequest) async throws -> Answer? {
        guard let idempotency = request.idempotency, !request.isDryRun else { return nil }
        return try await store.read { ledger in
            try AnswerOnce(Transaction(ledger, at: request.now), app: request.caller.app?.id)
                .first(of: idempotency).map(Answer.init(_:))
        }
    }

    private func perform<Answer: CommandAnswer>(
        _ change: @escaping Change<Answer>, of request: CommandRequest
    ) async throws -> Answer {
        if request.isDryRun { return try await store.tryOut(change) }
        return try await store.write { ledger in
            try AnswerOnce(Transaction(ledger, at: request.now), app: request.caller.app?.id)(
                request.idempotency, repeating: Answer.init(_:), keeping: \.kept
            ) {
                try change(ledger)
            }
        }
    }
}
