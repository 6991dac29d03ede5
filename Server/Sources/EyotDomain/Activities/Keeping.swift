/// The mark of a card that keeps an earlier state for everyone, because its build of the app cannot decode the newer
/// ones.
///
/// Keeping declares nothing. The mark covers the states up to ``until``, so the next state that the build decodes
/// applies without any change of the mark. When the phone gets another build, the mark is judged anew.
package struct Keeping: Sendable, Hashable {
    /// The state for everyone that the card keeps; 0 if its build decodes none.
    package var state: Version
    /// When that state was true, if its caller said it (R14).
    package var asOf: Instant?
    /// The newest state for everyone that the card was left out of.
    package var until: Version

    package init(state: Version, asOf: Instant?, until: Version) {
        (self.state, self.asOf, self.until) = (state, asOf, until)
    }
}

extension Replica {
    /// The declarations for everyone that apply to this replica.
    package func common(in activity: Activity) -> CommonState {
        var common = activity.common(for: ordinal)
        if let keeping, common.state <= keeping.until { (common.state, common.asOf) = (keeping.state, keeping.asOf) }
        return common
    }

    /// Whether its build could not decode the newest state for everyone.
    package func isLeftOut(in activity: Activity) -> Bool {
        keeping.map { activity.common(for: ordinal).state <= $0.until } ?? false
    }

    /// The state for everyone that applied to it when `version` was the newest one.
    package func commonState(at version: Version) -> Version {
        keeping.map { version <= $0.until ? $0.state : version } ?? version
    }

    /// Leaves it out of a declaration for everyone. The declaration's alert is not for it either.
    ///
    /// - Parameter kept: the state that it keeps; nil if its build decodes none.
    package mutating func leaveOut(_ declaration: Declaration, keeping kept: Declaration?) {
        guard declaration.version > keeping?.until ?? 0 else { return }
        keeping = Keeping(state: kept?.version ?? 0, asOf: kept?.asOf, until: declaration.version)
        if declaration.content.alert != nil { alertedVersion = max(alertedVersion, declaration.version) }
    }
}
