/// The steps that a database has taken, as its own table says.
package struct SchemaHistory: Sendable, Hashable {
    /// One step. Databases of version 0.1.0 have only numbers and names.
    package struct Step: Sendable, Hashable {
        package var number: Int
        package var name: String
        /// The hash of the text that was run; nil in a database of version 0.1.0.
        package var hash: String?
        /// The lowest schema version of a program that works with this step; nil in a database of version 0.1.0.
        package var worksSince: Int?
        /// The last key of a fill that has not ended; nil for a whole step.
        package var place: Int64?
    }

    package var steps: [Step]
    /// Whether the table has the columns of today. Databases of version 0.1.0 do not.
    package var isComplete: Bool

    /// The history of a database without tables.
    package static let empty = SchemaHistory(steps: [], isComplete: false)

    package var version: Int { steps.count }
}

/// How a database's schema differs from what the history of this program makes.
package enum SchemaDifference: Sendable, Hashable, CustomStringConvertible {
    /// A step has another number or name.
    case name(step: Int, found: String, expected: String)
    /// A step had another text when the database took it.
    case text(step: Int, name: String)
    /// A table or an index is missing.
    case missing(String)
    /// A table or an index has another definition.
    case changed(String)
    /// The database has tables, and none of Eyot's.
    case otherTables(String)
    /// The tables are in another schema of the same database.
    case otherSchema(String)

    package var description: String {
        switch self {
        case .name(let step, let found, let expected): "step \(step) of its schema is \(found), not \(expected)"
        case .text(let step, let name): "step \(step) of its schema, \(name), had another text when it was taken"
        case .missing(let name): "\(name) is missing"
        case .changed(let name): "\(name) is not as the steps of its schema make it"
        case .otherTables(let name): "it has the table \(name) and no history of Eyot's"
        case .otherSchema(let name):
            """
            Eyot's tables are in its schema \(name), and the search_path of this user leads to another one. To make a \
            second Eyot on purpose, name the schema in the URL: options=-csearch_path%3Dname
            """
        }
    }
}

/// What a migration of a database would do.
package struct SchemaPlan: Sendable, Hashable {
    /// The version of the database; 0 if it has no tables yet.
    package var found: Int
    /// The version of the program.
    package var known: Int
    /// The steps to take or to finish, in order.
    package var pending: [SchemaHistory.Step]
    /// Whether the history has no hashes yet, as in a database of version 0.1.0.
    package var recordsHashes: Bool

    /// Whether a program that already works with the database can go on while the steps are taken.
    package var isOnline: Bool { found > 0 && pending.allSatisfy { ($0.worksSince ?? $0.number) <= found } }
}

/// How far a migration is.
package struct SchemaProgress: Sendable, Hashable {
    package var step: Int
    package var name: String
    /// The last key of the step's fill, and the highest key of its table; nil if the step is whole.
    package var fill: Fill?

    package struct Fill: Sendable, Hashable {
        package var place: Int64
        package var end: Int64
    }

    package init(step: Int, name: String, fill: Fill? = nil) { (self.step, self.name, self.fill) = (step, name, fill) }
}
