import EyotContract

/// The versions declared for everyone that still count.
package struct CommonState: Sendable, Hashable {
    /// The newest state, 0 for none.
    package var state = 0
    /// When that state was true, if the caller says it (R14).
    package var asOf: Instant?
    /// The newest declaration that carries an alert, 0 for none.
    package var alert = 0
    /// The newest declaration that is urgent, 0 for none.
    package var urgent = 0
    package var end: Int?

    package init() {}

    /// The newest state or end, 0 for none.
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
