import EyotContract

/// What the build of a server says of itself.
package struct BuildDescription: Sendable, Hashable {
    /// The version of the program.
    package var version: String
    /// The commit that it was built from.
    package var commit: String
    /// The version of the database's schema that it reads and writes; nil for a store without one.
    package var schema: Int?

    package init(version: String = "unknown", commit: String = "unknown", schema: Int? = nil) {
        (self.version, self.commit, self.schema) = (version, commit, schema)
    }

    /// The value of the header `Server`.
    var header: String {
        "Eyot/\(version) (commit \(commit)\(schema.map { "; schema \($0)" } ?? ""))"
    }

    /// The members of an answer that say what the build is.
    var members: [(String, JSONValue)] {
        [("version", .string(version)), ("commit", .string(commit))]
            + (schema.map { [("schema", .integer($0))] } ?? [])
    }
}
