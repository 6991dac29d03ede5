/// The reason why a database is not moved. What it names has not changed, unless the reason says so.
package struct MoveFault: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case sameDatabase, sameKind, sourceMissing, schemaOlder, movedElsewhere, targetNotEmpty, digestsDiffer
        case alreadyMoved, unfinished
    }

    package let code: Code
    /// What was found, where, and what to do.
    package let description: String

    package init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }
}
