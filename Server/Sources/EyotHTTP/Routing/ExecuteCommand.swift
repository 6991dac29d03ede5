import EyotCommands
import EyotDomain

/// Does what a call asks for: prepares it by reading, and does it in one transaction.
struct ExecuteCommand: Sendable {
    /// How often a call is prepared before it is given up.
    private static let attempts = 3

    let backend: Backend
    /// By which it came, for the audit log; nil where its operations say enough.
    var route: Route?

    /// Prepares a call and does it; again, where its activity has begun anew in between, or has no card left that could not decode it.
    ///
    /// - Parameter idempotency: what tells its repetitions; nil where it acts each time.
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
            .unavailable, "the activity began anew again and again while it was found whom the call concerns")
    }

    /// What a repeated call was answered first, before anything is prepared for it: what has become of its names and times since
    /// is of no account, and whom it concerns need not be found (R14).
    private func firstAnswer(to call: Call, _ idempotency: Idempotency?) async throws -> Answer? {
        guard let idempotency, try !call.isDryRun else { return nil }
        let app = try call.caller.app?.id
        return try await backend.store.read { ledger in
            try AnswerOnce(ledger: ledger, app: app, now: call.now).first(of: idempotency).map(Answer.init(_:))
        }
    }

    /// Does what a call asks for in one transaction, and with an `Idempotency-Key` once.
    private func perform(
        _ command: @escaping Route.Command, of call: Call, _ idempotency: Idempotency?
    ) async throws -> Answer {
        if try call.isDryRun { return try await backend.store.tryOut(command) }
        let app = try call.caller.app?.id
        return try await backend.store.write { ledger in
            try AnswerOnce(ledger: ledger, app: app, now: call.now)(
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
    /// Does what a call would do, and undoes it: it is refused for what the call would be refused for.
    package func tryOut(_ call: Call, _ prepare: @Sendable (Call) async throws -> Route.Command) async throws {
        var trial = call
        trial.query[Call.dryRun] = "true"
        _ = try await ExecuteCommand(backend: self)(trial, idempotency: nil, prepare)
    }
}
