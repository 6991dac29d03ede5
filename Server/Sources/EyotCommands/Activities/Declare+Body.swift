import EyotDomain

extension Declare {
    /// Takes a declaration as a caller wrote it. A repeated request gets its first answer before its dates are judged:
    /// what lay ahead then may have passed.
    ///
    /// - Parameter match: the version that the caller has seen.
    /// - Throws: ``EyotError`` where the request cannot be taken; then nothing has changed.
    package func callAsFunction(
        _ body: DeclarationBody, match: VersionMatch?, idempotency: Idempotency?
    ) throws -> Operation {
        if let idempotency, let first = try repeated(idempotency) { return first }
        var (request, warnings) = try body.request(at: now)
        request.match = match
        let newest = try ledger.newestActivity(named: request.name, in: app)
        let current = try newest.flatMap { try ledger.declaration($0.everyone, of: $0.id) }
        warnings += try PayloadSize(request, activity: newest, current: current).check()
        return try self(request, idempotency: idempotency, warnings: warnings)
    }
}
