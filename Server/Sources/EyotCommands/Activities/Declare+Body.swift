import EyotContract
import EyotDomain

extension Declare {
    /// Declares what a caller wrote.
    ///
    /// - Parameters:
    ///   - match: The version that the caller has seen.
    ///   - gone: Builds without cards in the activity, as found for ``SchemaDoubt``.
    /// - Throws: ``EyotError`` if the request is refused, ``SchemaDoubt``, and ``MembersOutdated``. Then nothing has
    ///   changed.
    package func callAsFunction(
        _ body: DeclarationBody, match: VersionMatch?, gone: Set<String> = []
    ) throws -> Operation {
        let newest = try newestActivity(named: body.name)
        let body = try completed(body, by: newest)
        var (request, warnings) = try body.request(at: now)
        request.match = match
        try expectCards(of: &request, after: newest)
        warnings += try NameCards(ledger: ledger, app: app)(&request, builds: builds(of: body).audience)
        let current = try current(of: newest)
        warnings += try inherit(to: &request, in: newest, from: current)
        warnings += try PayloadSize(request, activity: newest, current: current).check()
        warnings += try check(
            request, of: body, activity: newest.flatMap { $0.isEnded ? nil : $0 }, gone.union(leftOut.builds))
        return try take(request, in: newest, current: current, warnings: warnings)
    }

    private func check(
        _ request: DeclarationRequest, of body: DeclarationBody, activity: Activity?, _ gone: Set<String>
    ) throws -> [String] {
        do {
            return try SchemaCheck(transaction: transaction, app: app, gone: gone)(
                request, activity: activity, builds: builds(of: body))
        } catch  where body.leavesOut {
            // A phone has joined or a schema was pushed since the phones to leave out were found.
            throw MembersOutdated()
        }
    }

    private func builds(of body: DeclarationBody) throws -> FrozenMembers.Builds {
        if let frozen { return frozen.builds }
        guard body.namesMembers else { return FrozenMembers.Builds() }
        return try FreezeMembers(transaction, app: app, inlineLimit: limits.inlineLimit)(body).builds
    }
}
