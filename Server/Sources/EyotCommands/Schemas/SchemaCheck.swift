import EyotContract
import EyotDomain

/// Whether phones could decode what a declaration shows, by the schemas of the builds that it concerns.
struct SchemaCheck {
    let ledger: any Ledger
    let app: AppID
    /// Builds of the activity that no card has any more, as somebody has looked.
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
        let pushed = try ledger.schemas(of: type, in: app)
        guard !pushed.isEmpty else {
            return try ledger.noteMissingSchema(of: type, in: app) ? [Self.hint(for: type)] : []
        }
        var schemas = BuildSchemas(pushed)
        try schemas.require(request.attributes, request.content.state, on: builds.audience)
        try schemas.require(nil, request.content.state, on: builds.scope)
        guard let activity, request.scope == nil, request.verb != .start else { return [] }
        let concerned = try ledger.builds(of: activity.id).subtracting(gone)
        do {
            try schemas.require(nil, request.content.state, on: concerned)
        } catch let mismatch as EyotError {
            let doubtful = try schemas.mismatching(request.content.state, on: concerned)
            throw SchemaDoubt(activity: activity.id, builds: doubtful, mismatch: mismatch)
        }
        return []
    }

    private static func hint(for type: String) -> String {
        "\(type) has no schema, so nobody can say whether phones decode this: see eyot schema push. This is told once"
    }
}

/// What a declaration shows does not decode in builds of which the activity had cards. Whether it still has some takes a look at all of
/// them, for which nobody who writes waits.
package struct SchemaDoubt: Error {
    package let activity: ActivityID
    package let builds: [String]
    /// What to say where it has.
    package let mismatch: EyotError

    /// The builds of which no card is left.
    ///
    /// - Throws: the mismatch, where there is one left.
    package func resolved(by ledger: any Ledger) throws -> Set<String> {
        for build in builds where try ledger.hasReplica(of: activity, build: build) { throw mismatch }
        return Set(builds)
    }
}

/// The schemas of one type by build, each read once.
private struct BuildSchemas {
    private let byBuild: [String: [UInt8]]
    private let type: String
    private var read: [[UInt8]: ActivitySchema] = [:]

    init(_ pushed: [TypeSchema]) {
        byBuild = Dictionary(uniqueKeysWithValues: pushed.map { ($0.build, $0.json) })
        type = pushed.first?.type ?? ""
    }

    /// - Throws: `schemaMismatch`, for the first build in which something does not decode.
    mutating func require(_ attributes: JSONValue?, _ state: JSONValue?, on builds: Set<String>) throws {
        for build in builds.sorted() {
            guard let mismatch = try mismatch(attributes, state, build) else { continue }
            let others = try builds.count { try self.mismatch(attributes, state, $0) != nil } - 1
            throw EyotError(
                .schemaMismatch,
                "\(mismatch) in version \(build) of the app\(others > 0 ? " and in \(others) more" : "")",
                field: mismatch.field)
        }
    }

    /// The builds in which a state does not decode, in their order.
    mutating func mismatching(_ state: JSONValue?, on builds: Set<String>) throws -> [String] {
        try builds.sorted().filter { try mismatch(nil, state, $0) != nil }
    }

    private mutating func mismatch(
        _ attributes: JSONValue?, _ state: JSONValue?, _ build: String
    ) throws -> SchemaMismatch? {
        guard let json = byBuild[build] ?? byBuild[TypeSchema.everyOtherBuild] else { return nil }
        let schema = try read[json] ?? ActivitySchema(json: JSONValue(parsing: json), type: type)
        read[json] = schema
        return attributes.flatMap(schema.mismatch(ofAttributes:)) ?? state.flatMap(schema.mismatch(ofContentState:))
    }
}

extension SchemaMismatch {
    /// The member of our calls' bodies.
    fileprivate var field: String {
        let payload = "content-state"
        return path.hasPrefix(payload) ? "contentState\(path.dropFirst(payload.count))" : path
    }
}
