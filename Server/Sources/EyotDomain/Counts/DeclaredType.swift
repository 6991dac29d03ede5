/// The type of an activity.
package struct DeclaredType: Sendable, Hashable {
    package var name: String
    /// Whether a backend has declared it; otherwise phones have reported it.
    package var isDeclared: Bool

    package init(name: String, isDeclared: Bool) { (self.name, self.isDeclared) = (name, isDeclared) }
}

extension Activity {
    /// Nil while the type is unknown.
    package var declaredType: DeclaredType? { type.map { DeclaredType(name: $0, isDeclared: isTypeDeclared) } }
}
