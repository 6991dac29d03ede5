import EyotDomain

extension Commands {
    /// The result of a dry run of a declaration.
    package struct Preview: Sendable {
        /// The outcome that the call would have.
        package var outcome: DryRun.Outcome
        package var schemas: [SchemaVerdicts.Verdict]
        /// The activity's cards by phase, if the declaration applies to all of them and the activity exists.
        package var cards: [String: Int]?
    }

    /// Finds out what a declaration would do.
    ///
    /// - Parameter longest: How many seconds members are counted that one transaction does not process.
    /// - Throws: The error that the declaration itself would get.
    package func preview(
        _ body: DeclarationBody, match: VersionMatch?, longest: Double = CountAudience.longest,
        _ request: CommandRequest
    ) async throws -> Change<Preview> {
        let app = try request.caller.requiredApp()
        let body = try await limited(body, to: request.caller, app.id, for: .question)
        let concerned = try await concerned(body, of: app.id, at: request.now, for: .question)
        let schemas = try await store.search(of: app.id) {
            try SchemaVerdicts(Transaction($0, at: request.now), app: app.id)(body)
        }
        let cards = body.scope == nil && body.verb != .start ? try await cards(of: body.name, in: app.id) : nil
        let run: Change<DryRun.Outcome> = { ledger in
            try DryRun(Transaction(ledger, at: request.now), app: app)(
                concerned, match: match, gone: request.buildsGone)
        }
        let count = try CountMembers(concerned, app: app.id, now: request.now)
        guard count.isNeeded, longest > 0 else {
            return { Preview(outcome: try run($0), schemas: schemas, cards: cards) }
        }
        // A refusal comes before members are counted.
        var outcome = try await store.tryOut(run)
        if outcome.operation.outcome.isTaken {
            let began = clock.now
            outcome.operation.take(try await count(in: store) { clock.now.seconds(since: began) >= longest })
        }
        let preview = Preview(outcome: outcome, schemas: schemas, cards: cards)
        return { _ in preview }
    }

    /// The cards of an activity by phase; nil if there is no such activity.
    private func cards(of name: String, in app: AppID) async throws -> [String: Int]? {
        do {
            return try await inspect.report(on: name, of: app).phases
        } catch let error as EyotError where error.code == .activityUnknown {
            return nil
        }
    }
}
