import EyotContract
import EyotDomain

/// The verdicts of schemas on a declaration, for each build that it applies to.
package struct SchemaVerdicts: UseCase {
    package let transaction: Transaction
    let app: AppID

    package init(_ transaction: Transaction, app: AppID) {
        (self.transaction, self.app) = (transaction, app)
    }

    /// The verdict of one build's schema.
    package struct Verdict: Sendable, Hashable {
        package enum Word: String, Sendable, Hashable {
            case decodes, mismatch
            /// No schema was pushed for the build.
            case noSchema
        }

        package var build: String
        package var word: Word
        /// The value that does not decode, and why.
        package var reason: String?
    }

    /// - Returns: The verdicts in the order of builds. Empty if the type has no schemas.
    package func callAsFunction(_ body: DeclarationBody) throws -> [Verdict] {
        let named = try FreezeMembers(transaction, app: app)(body).builds
        var (request, _) = try body.request(at: now)
        _ = try NameCards(ledger: ledger, app: app)(&request, builds: named.audience)
        let activity = try ledger.newestActivity(named: body.name, in: app).flatMap { $0.isEnded ? nil : $0 }
        guard let type = request.type ?? activity?.type, try ledger.hasSchemas(of: type, in: app) else { return [] }
        var builds = named.audience.union(named.scope)
        if let activity, request.isForEveryone { builds.formUnion(try ledger.builds(of: activity.id)) }
        var schemas = BuildSchemas(ledger: ledger, app: app, type: type)
        return try builds.sorted().map { build in
            let attributes = named.audience.contains(build) ? request.attributes : nil
            if let refusal = try schemas.refusal(of: attributes, request.content.state, on: [build]) {
                return Verdict(build: build, word: .mismatch, reason: "\(refusal.mismatch)")
            }
            return Verdict(build: build, word: try schemas.schemas(of: [build]).isEmpty ? .noSchema : .decodes)
        }
    }
}
