import EyotCommands
import EyotDomain

/// Runs a command: prepares it by reading, then runs it in one transaction.
struct ExecuteCommand: Sendable {
    /// How many times a call is prepared before it fails.
    private static let attempts = 3

    let backend: Backend
    /// The route, for the audit log; nil if the call's operations say enough.
    var route: Route?

    /// Prepares and runs a call. It starts over if the activity opened a new generation meanwhile. It also starts over
    /// if the builds that could not decode the state have no cards left.
    ///
    /// - Parameter idempotency: the mark of its repetitions; nil if the call acts each time.
    func callAsFunction(
        _ call: Call, idempotency: Idempotency?, _ prepare: @Sendable (Call) async throws -> Route.Command
    ) async throws -> Answer {
        if let first = try await firstAnswer(to: call, idempotency) { return first }
        var call = call
        for _ in 0..<Self.attempts {
            do {
                return try await perform(await prepare(call), of: call, idempotency)
            } catch is MembersOutdated {
                continue
            } catch let doubt as SchemaDoubt {
                call.buildsGone.formUnion(try await backend.store.read { try doubt.resolved(by: $0) })
            }
        }
        throw EyotError(
            .unavailable, "the activity was restarted several times while its members were searched")
    }

    /// Returns the first answer of a repeated call, before anything is prepared. Names, times and members may have
    /// changed since, and do not matter (R14).
    private func firstAnswer(to call: Call, _ idempotency: Idempotency?) async throws -> Answer? {
        guard let idempotency, try !call.isDryRun else { return nil }
        let app = try call.caller.app?.id
        return try await backend.store.read { ledger in
            try AnswerOnce(Transaction(ledger, at: call.now), app: app).first(of: idempotency).map(Answer.init(_:))
        }
    }

    /// Runs a call in one transaction. With an `Idempotency-Key` it runs once.
    private func perform(
        _ command: @escaping Route.Command, of call: Call, _ idempotency: Idempotency?
    ) async throws -> Answer {
        if try call.isDryRun { return try await backend.store.tryOut(command) }
        let app = try call.caller.app?.id
        return try await backend.store.write { ledger in
            try AnswerOnce(Transaction(ledger, at: call.now), app: app)(
                idempotency, repeating: Answer.init(_:), keeping: \.kept
            ) {
                var answer = try command(ledger)
                if let route, let entry = AuditEntry(of: call, route, answer) {
                    try ledger.note(entry, limit: AuditEntry.limit)
                    answer.recorded = entry
                }
                return answer
            }
        }
    }
}

extension Backend {
    /// Runs a call as a dry run, so it throws the errors that the call itself would throw.
    package func tryOut(_ call: Call, _ prepare: @Sendable (Call) async throws -> Route.Command) async throws {
        var trial = call
        trial.query[Call.dryRun] = "true"
        _ = try await ExecuteCommand(backend: self)(trial, idempotency: nil, prepare)
    }
}
