import EyotContract
import EyotDomain

/// The check whether phones can decode what a declaration shows, by the schemas of their builds.
struct SchemaCheck: UseCase {
    let transaction: Transaction
    let app: AppID
    /// Builds without cards in the activity, as found before, and builds that are left out.
    let gone: Set<String>

    /// - Parameters:
    ///   - activity: The open generation, or nil if the request opens one.
    ///   - builds: The builds of the request's audience and scope.
    /// - Returns: The warnings for the caller.
    /// - Throws: `schemaMismatch`, or ``SchemaDoubt`` if the cards that could not decode it may be gone.
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

/// The doubt whether an activity still has cards of builds that cannot decode a declaration. To resolve it, all cards
/// are read, and no writer must wait for that.
package struct SchemaDoubt: Error {
    package let activity: ActivityID
    package let builds: [String]
    /// The error if it still has.
    package var mismatch: EyotError

    /// Returns the builds, if the activity has no card of any of them.
    ///
    /// - Throws: The mismatch, if such a card is left.
    package func resolved(by ledger: any Ledger) throws -> Set<String> {
        for build in builds where try ledger.hasReplica(of: activity, build: build) { throw mismatch }
        return Set(builds)
    }
}
