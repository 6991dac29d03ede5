import EyotDomain

/// The cards that are left out of a common state.
extension Declare {
    /// How many common declarations are searched for one that decodes.
    private static let looksBack = 100

    /// Lets the cards that are left out keep the newest earlier state that they can decode.
    ///
    /// - Parameter version: The common version that was just declared.
    /// - Throws: `schemaMismatch` if they cannot decode any earlier state.
    func keep(_ leftOut: LeftOut, from request: DeclarationRequest, after version: Version) throws {
        guard let cards = leftOut.cards, cards.inScope > 0, let activity = cards.activity else { return }
        guard let content = try lastContent(for: leftOut.builds, of: activity, before: version) else {
            throw EyotError(
                .schemaMismatch,
                "no earlier state decodes in versions \(leftOut.builds.sorted().joined(separator: ", ")) of the app",
                field: "contentState")
        }
        var keeping = DeclarationRequest(verb: .update, name: request.name, content: content)
        keeping.scope = .or(leftOut.builds.sorted().map(Audience.appVersion))
        _ = try Declare(transaction, app: app, frozen: cards, limits: limits)(keeping)
    }

    private func lastContent(
        for builds: Set<String>, of activity: ActivityID, before version: Version
    ) throws -> Content? {
        guard let type = try ledger.activity(activity)?.type else { return nil }
        var schemas = BuildSchemas(ledger: ledger, app: app, type: type)
        var earlier = try ledger.declaration(version, of: activity)?.follows ?? 0
        for _ in 0..<Self.looksBack {
            guard let declaration = try ledger.declaration(earlier, of: activity) else { return nil }
            let content = declaration.content
            if let state = content.state, try schemas.refusal(of: nil, state, on: builds) == nil {
                return Content(
                    state: state, staleDate: content.staleDate, relevanceScore: content.relevanceScore,
                    aps: content.aps)
            }
            earlier = declaration.follows
        }
        return nil
    }
}
