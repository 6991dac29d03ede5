import EyotContract
import EyotDomain

/// Whether phones could decode what a declaration shows, by the schemas of the builds that it concerns.
struct SchemaCheck {
    let ledger: any Ledger
    let app: AppID
    let now: Instant
    /// Builds of the activity that no card has any more, as somebody has looked, and those that are left out.
    let gone: Set<String>

    /// - Parameters:
    ///   - activity: the open generation; nil where the request opens one.
    ///   - builds: those of the request's audience and scope.
    /// - Returns: what the caller should know though nothing is known to be wrong.
    /// - Throws: `schemaMismatch`; ``SchemaDoubt`` where the cards that could not decode it may be gone.
    func callAsFunction(
        _ request: DeclarationRequest, activity: Activity?, builds: FrozenMembers.Builds
    ) throws -> [String] {
        guard let type = request.type ?? activity?.type,
            request.content.state != nil || request.attributes != nil
        else { return [] }
        guard try ledger.hasSchemas(of: type, in: app) else {
            return [Self.hint(for: type)]
        }
        let state = request.content.state
        var schemas = BuildSchemas(ledger: ledger, app: app, type: type)
        if let refusal = try schemas.refusal(of: request.attributes, state, on: builds.audience) { throw refusal.error }
        if let refusal = try schemas.refusal(of: nil, state, on: builds.scope) { throw refusal.error }
        var warned = try schemas.warnings(
            of: request.attributes, state, on: builds.audience.union(builds.scope), at: now)
        guard let activity, request.isForEveryone else { return warned }
        let concerned = try ledger.builds(of: activity.id).subtracting(gone)
        if let refusal = try schemas.refusal(of: nil, state, on: concerned) {
            throw SchemaDoubt(activity: activity.id, builds: refusal.builds, mismatch: refusal.error)
        }
        for warning in try schemas.warnings(of: nil, state, on: concerned, at: now) where !warned.contains(warning) {
            warned.append(warning)
        }
        return warned
    }

    private static func hint(for type: String) -> String {
        "No schema is registered for \(type), so Eyot cannot check that phones can decode this. "
            + "Register one with `eyot schema push`."
    }
}

/// What a declaration shows does not decode in builds of which the activity had cards. Whether it still has some takes a look at all of
/// them, for which nobody who writes waits.
package struct SchemaDoubt: Error {
    package let activity: ActivityID
    package let builds: [String]
    /// What to say where it has.
    package var mismatch: EyotError

    /// The builds of which no card is left.
    ///
    /// - Throws: the mismatch, where there is one left.
    package func resolved(by ledger: any Ledger) throws -> Set<String> {
        for build in builds where try ledger.hasReplica(of: activity, build: build) { throw mismatch }
        return Set(builds)
    }
}
