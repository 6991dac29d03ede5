/// An index that no row has to satisfy. A program works without it, only slower.
package struct PlainIndex: Sendable, Hashable {
    private static let beginning = "CREATE INDEX "

    package let name: String
    let table: String
    private let rest: String

    /// Reads a statement of a step; nil if it makes no such index.
    init?(_ statement: String) {
        guard statement.hasPrefix(Self.beginning) else { return nil }
        let words = statement.dropFirst(Self.beginning.count).split(separator: " ")
        guard words.count > 3, words[1] == "ON" else { return nil }
        (name, table, rest) = (String(words[0]), String(words[2]), words.dropFirst().joined(separator: " "))
    }

    /// The index that a statement of a step drops; nil if it drops none.
    static func name(droppedBy statement: String) -> Substring? {
        statement.hasPrefix("DROP INDEX ") ? statement.dropFirst("DROP INDEX ".count) : nil
    }

    /// The statement that makes it while others write to its table. PostgreSQL runs it outside of transactions.
    package var creationBesideWrites: String { "CREATE INDEX CONCURRENTLY IF NOT EXISTS \(name) \(rest)" }
}
