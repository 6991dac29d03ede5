import EyotDomain

/// How keys of an API are made, and what their callers send beside them.
package struct KeyRules: Sendable {
    /// The public name that callers send beside the secret.
    package struct Identifier: Sendable {
        /// Whether all keys of an app have the same one.
        package var isShared: Bool
        /// Makes one for a key that is created without.
        package var make: @Sendable () -> String
        /// Whether a caller's own one has the form that the vendor's clients take.
        package var isValid: @Sendable (String) -> Bool
        /// That form, as the end of a sentence that begins with the member's name.
        package var rule: String

        package init(
            isShared: Bool = false, make: @escaping @Sendable () -> String,
            isValid: @escaping @Sendable (String) -> Bool = { _ in true }, rule: String = ""
        ) {
            self.isShared = isShared
            self.make = make
            self.isValid = isValid
            self.rule = rule
        }
    }

    package var plane: KeyPlane
    /// The beginning of each key, so that a key in the wrong place is visible at once.
    package var prefix: String
    /// Random bytes of a key.
    package var byteCount: Int
    /// Nil if callers send nothing beside the secret.
    package var identifier: Identifier?
    /// Whether callers may prove with a key of their own that they hold its private part.
    package var takesPublicKey: Bool
    /// The vendor's own names for scopes.
    package var permissions: [String: KeyScope]

    package init(
        plane: KeyPlane, prefix: String, byteCount: Int = 32, identifier: Identifier? = nil,
        takesPublicKey: Bool = false, permissions: [String: KeyScope] = [:]
    ) {
        self.plane = plane
        self.prefix = prefix
        self.byteCount = byteCount
        self.identifier = identifier
        self.takesPublicKey = takesPublicKey
        self.permissions = permissions
    }

    /// Keys of Eyot's own control plane.
    package static let own = KeyRules(plane: .eyot, prefix: Keyring.Kind.apiKey.rawValue)
}
