import Foundation

/// An activity of a start that says no name: what its cards are called, their app says on each phone. It holds their places until
/// then, and nobody can speak of it.
package enum NamelessActivity {
    private static let prefix = "nameless:"

    /// A name that no other has.
    package static func make() -> String { prefix + UUID().uuidString.lowercased() }

    /// Whether a name is such a one.
    package static func isOne(_ name: String) -> Bool { name.hasPrefix(prefix) }
}
