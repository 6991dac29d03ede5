/// Something that a transaction did and that metrics count, once the transaction is durable.
package struct Occurrence: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case declared(DeclarationRequest.Verb, Operation.Outcome)
        /// A device of a start's audience got no card.
        case startSkipped(StartFailure)
        /// A phone said what a card of an activity shows.
        case reported(Report, by: DeviceID, of: ActivityID)
        case event(EventKind)
    }

    /// What a phone reported of the state that a card shows.
    package enum Report: String, Sendable, Hashable, CaseIterable {
        /// The newest state for this card.
        case same
        case older
        /// A state that is none of the last declarations.
        case unknown
    }

    package var app: AppID
    package var kind: Kind

    package init(_ kind: Kind, of app: AppID) {
        (self.app, self.kind) = (app, kind)
    }
}

extension Ledger {
    /// Counts something for metrics. It counts only if the transaction commits.
    package func count(_ kind: Occurrence.Kind, of app: AppID, times: Int = 1) {
        guard times > 0 else { return }
        occurrences[Occurrence(kind, of: app), default: 0] += times
    }

    /// Counts the devices that get no card.
    ///
    /// - Parameter former: The counts that were there before.
    package func count(skipped: [StartFailure: Int], since former: [StartFailure: Int] = [:], of app: AppID) {
        for (reason, count) in skipped {
            self.count(.startSkipped(reason), of: app, times: count - former[reason, default: 0])
        }
    }
}
