/// One accepted request: for the record and for polling.
package struct Operation: Sendable, Hashable {
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// A new version was declared, or the planned end moved.
        case applied
        /// The declaration repeated the newest one.
        case unchanged
        /// Something newer had been declared. Nothing was done.
        case superseded
        /// The caller's condition did not hold. Nothing was done.
        case unmet

        /// Whether the request was applied, or its declaration stood already.
        package var isTaken: Bool { self == .applied || self == .unchanged }
    }

    /// 0 until it is stored.
    package var id: Int64 = 0
    package var app: AppID
    package var verb: DeclarationRequest.Verb
    package var name: String
    package var activity: ActivityID?
    package var generation: Int
    package var version: Version
    package var outcome: Outcome
    /// Devices of the audience that get a card.
    package var starting = 0
    /// Devices of the audience that get no card, by reason.
    package var skipped: [StartFailure: Int] = [:]
    /// Replicas in the scope; nil is everyone.
    package var members: Int?
    /// Members of its audience or scope that are still to be processed.
    package var pending = 0
    /// Warnings for the caller; nothing has failed.
    package var warnings: [String] = []
    package var acceptedAt: Instant
    /// When its state was true, if the caller says it (R14).
    package var asOf: Instant?
    /// The activity's counts when it was accepted.
    package var before = DeliveryCounts()
    /// Its completion; nil while it is under way.
    package var completion: OperationCompletion?
    /// The key of the control plane that made it; nil if none did.
    package var key: Int64?
    /// The definition or the vendor's API that it was made from, by which callers ask for its results; nil if there is
    /// none.
    package var source: String?
    /// The ids of the call; nil if no call made it.
    package var request: RequestID?

    package init(
        app: AppID, verb: DeclarationRequest.Verb, name: String, activity: ActivityID?, generation: Int, version: Int,
        outcome: Outcome, acceptedAt: Instant
    ) {
        self.app = app
        self.verb = verb
        self.name = name
        self.activity = activity
        self.generation = generation
        self.version = version
        self.outcome = outcome
        self.acceptedAt = acceptedAt
    }
}
