import EyotDomain

/// What was checked about a phone's report before its transaction.
package struct ReportProofs: Sendable {
    /// The verdicts on the users that changes name, by the sequences of the changes.
    package var identities: [Int: IdentityVerdict] = [:]
    /// The activities that the phone has shown the join secret of.
    package var opened: Set<ActivityID> = []

    package init(identities: [Int: IdentityVerdict] = [:], opened: Set<ActivityID> = []) {
        self.identities = identities
        self.opened = opened
    }
}
