import EyotCommands
import EyotContract
import EyotDomain

/// A dry run of a declaration.
struct TryOutDeclaration {
    let backend: Backend
    /// How many seconds members are counted that the transaction does not process.
    let longest: Double

    /// - Throws: the error that the declaration itself would get.
    func callAsFunction(
        _ body: DeclarationBody, match: VersionMatch?, _ call: Call
    ) async throws -> Route.Command {
        let app = try call.app
        let body = try await backend.limited(body, call)
        let concerned = try await backend.concerned(body, of: app.id, at: call.now)
        let schemas = try await backend.store.search(of: app.id) {
            try SchemaVerdicts(Transaction($0, at: call.now), app: app.id)(body)
        }
        let cards = body.scope == nil && body.verb != .start ? try await cards(of: body.name, in: app) : nil
        let run: @Sendable (any Ledger) throws -> DryRun.Outcome = { ledger in
            try DryRun(Transaction(ledger, at: call.now), app: app)(concerned, match: match, gone: call.buildsGone)
        }
        let count = try CountMembers(concerned, app: app.id, now: call.now)
        guard count.isNeeded, longest > 0 else {
            return { Self.answer(try run($0), schemas, cards) }
        }
        // A refusal comes before members are counted.
        var outcome = try await backend.store.tryOut(run)
        if outcome.operation.outcome.isTaken {
            let began = backend.clock.now
            outcome.operation.take(
                try await count(in: backend.store) { backend.clock.now.seconds(since: began) >= longest })
        }
        let answer = Self.answer(outcome, schemas, cards)
        return { _ in answer }
    }

    private static func answer(
        _ outcome: DryRun.Outcome, _ schemas: [SchemaVerdicts.Verdict], _ cards: [String: Int]?
    ) -> Answer {
        var answer = DeclarationRoutes.answer(outcome.operation)
        guard answer.status.kind == .successful else { return answer }
        answer.status = .ok
        answer.json = DryRunReport(outcome: outcome, schemas: schemas, cards: cards).json
        return answer
    }

    /// Returns the cards of an activity by phase; nil if there is no such activity.
    private func cards(of name: String, in app: App) async throws -> [String: Int]? {
        do {
            return try await backend.inspect.report(on: name, of: app.id)
                .phases
        } catch let error as EyotError where error.code == .activityUnknown {
            return nil
        }
    }
}
