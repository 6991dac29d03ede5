import EyotContract
import EyotDomain

/// The storing of a type's schema for builds of the app. One transaction.
package struct PushSchema: UseCase {
    package let transaction: Transaction
    let app: AppID

    package init(_ transaction: Transaction, app: AppID) {
        self.transaction = transaction
        self.app = app
    }

    /// - Parameter builds: The app's versions that have it. An empty list stands for all versions without a schema of
    ///   their own.
    /// - Returns: The difference from the schema that was stored last. It is empty if there was none.
    /// - Throws: `tooManySchemas`.
    package func callAsFunction(_ schema: ActivitySchema, builds: [String]) throws -> SchemaDifference {
        let former = try ledger.schemas(of: schema.type, in: app)
        let named = Set(builds.isEmpty ? [TypeSchema.everyOtherBuild] : builds)
        let all = named.union(former.map(\.build))
        guard all.count <= TypeSchema.buildLimit else {
            throw EyotError(
                .tooManySchemas,
                "\(schema.type) would have schemas for \(all.count) builds; the limit is \(TypeSchema.buildLimit)",
                field: "builds")
        }
        for build in named.sorted() {
            try ledger.put(
                TypeSchema(app: app, type: schema.type, build: build, json: schema.json.utf8, pushedAt: now))
        }
        guard let last = former.max(by: { $0.pushedAt < $1.pushedAt }) else { return SchemaDifference() }
        return SchemaDifference(from: try last.schema(), to: schema)
    }
}

extension TypeSchema {
    /// The schema as a value. It was checked when it was stored.
    package func schema() throws -> ActivitySchema { try ActivitySchema(json: JSONValue(parsing: json), type: type) }
}
