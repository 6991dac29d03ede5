import EyotContract

/// What has been declared for everyone, by the versions that still count.
package struct DeclaredForEveryone: Sendable, Hashable {
    /// The newest state, 0 for none.
    package var state = 0
    /// When the caller says that it was true, where they say it (R14).
    package var asOf: Instant?
    /// The newest one that carries an alert.
    package var alert = 0
    /// The newest one that is urgent.
    package var urgent = 0
    package var end: Int?

    package init() {}

    /// The newest of all.
    package var newest: Int { max(state, end ?? 0) }

    mutating func take(_ kind: Declaration.Kind, _ version: Int, _ content: Content, asOf: Instant?) {
        switch kind {
        case .state: (state, self.asOf) = (version, asOf)
        case .end: end = version
        }
        if content.alert != nil { alert = version }
        if content.isUrgent { urgent = version }
    }
}
