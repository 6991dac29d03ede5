import EyotContract
import EyotDomain

/// The schemas of one type. The schema of a build is read when it is needed, because there may be a thousand builds.
struct BuildSchemas {
    let ledger: any Ledger
    let app: AppID
    let type: String
    /// The schemas read so far, by their JSON, because most builds share a schema.
    private var read: [[UInt8]: ActivitySchema] = [:]

    init(ledger: any Ledger, app: AppID, type: String) {
        (self.ledger, self.app, self.type) = (ledger, app, type)
    }

    /// A value that does not decode.
    struct Refusal {
        /// The builds that cannot decode it, sorted.
        var builds: [String]
        /// What is wrong in the first of these builds.
        var mismatch: SchemaMismatch

        /// The `schemaMismatch` error.
        var error: EyotError {
            let others = builds.count - 1
            let more = others > 0 ? " and in \(others) more" : ""
            var error = EyotError(
                .schemaMismatch, "\(mismatch) in version \(builds[0]) of the app\(more)", field: mismatch.field)
            error.isOfMissing = mismatch.isOfMissing
            return error
        }
    }

    /// Returns the first mismatch with all its builds, or nil if all values decode in all builds.
    mutating func refusal(
        of attributes: JSONValue?, _ state: JSONValue?, on builds: Set<String>
    ) throws -> Refusal? {
        var refusal: Refusal?
        for build in builds.sorted() {
            guard let schema = try schema(of: build),
                let mismatch = attributes.flatMap(schema.mismatch(ofAttributes:))
                    ?? state.flatMap(schema.mismatch(ofContentState:))
            else { continue }
            refusal = Refusal(builds: (refusal?.builds ?? []) + [build], mismatch: refusal?.mismatch ?? mismatch)
        }
        return refusal
    }

    /// The warnings about values that decode in these builds and are still probably mistakes. A member that some build
    /// reads is no mistake.
    mutating func warnings(
        of attributes: JSONValue?, _ state: JSONValue?, on builds: Set<String>, at now: Instant
    ) throws -> [String] {
        let schemas = try schemas(of: builds)
        let remarks = schemas.map { schema in
            (attributes.map { schema.remarks(onAttributes: $0, at: Double(now.second)) } ?? [])
                + (state.map { schema.remarks(onContentState: $0, at: Double(now.second)) } ?? [])
        }
        let unread = remarks.map { Set($0.filter(\.isUnread).map(\.path)) }
        var warnings: [String] = []
        for remark in remarks.joined() where !remark.isUnread || unread.allSatisfy({ $0.contains(remark.path) }) {
            let warning = remark.description(at: Self.member(at: remark.path))
            if !warnings.contains(warning) { warnings.append(warning) }
        }
        return warnings
    }

    /// The member in the body of a call for a path in a payload.
    fileprivate static func member(at path: String) -> String {
        let payload = "content-state"
        return path.hasPrefix(payload) ? "contentState\(path.dropFirst(payload.count))" : path
    }

    /// The schemas of these builds, each once.
    mutating func schemas(of builds: Set<String>) throws -> [ActivitySchema] {
        var schemas: Set<ActivitySchema> = []
        for build in builds { if let schema = try schema(of: build) { schemas.insert(schema) } }
        return Array(schemas)
    }

    private mutating func schema(of build: String) throws -> ActivitySchema? {
        guard
            let pushed = try ledger.schema(of: type, build: build, in: app)
                ?? ledger.schema(of: type, build: TypeSchema.everyOtherBuild, in: app)
        else { return nil }
        let schema = try read[pushed.json] ?? pushed.schema()
        read[pushed.json] = schema
        return schema
    }
}

extension SchemaMismatch {
    /// The member in the body of a call.
    fileprivate var field: String { BuildSchemas.member(at: path) }
}
