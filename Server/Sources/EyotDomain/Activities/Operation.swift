/// One accepted request: for the record and for polling.
package struct Operation: Sendable, Hashable {
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// A new version was declared, or the planned end moved.
        case applied
        /// What was declared is what was declared before.
        case unchanged
        /// Something newer had been declared; nothing was done.
        case superseded
        /// What the caller made a condition did not hold; nothing was done.
        case unmet

        /// Whether anything came of it, or was there already.
        package var isTaken: Bool { self == .applied || self == .unchanged }
    }

    /// 0 until it is stored.
    package var id: Int64 = 0
    package var app: AppID
    package var verb: DeclarationRequest.Verb
    package var name: String
    package var activity: ActivityID?
    package var generation: Int
    package var version: Int
    package var outcome: Outcome
    /// Devices that get a card by this request.
    package var starting = 0
    /// Devices of the audience that get none, by the reason.
    package var skipped: [StartFailure: Int] = [:]
    /// Replicas in the scope; nil is everyone.
    package var members: Int?
    /// Of its audience or scope, those who have not been told yet.
    package var pending = 0
    /// What the caller should know though nothing is wrong.
    package var warnings: [String] = []
    package var acceptedAt: Instant
    /// Of when its caller says that it was true, where they say it (R14).
    package var asOf: Instant?
    /// What had happened to the activity's pushes when it was accepted.
    package var before = DeliveryCounts()
    /// When it was complete, and how it ended; nil while it is under way.
    package var completion: OperationCompletion?
    /// The key of the control plane that made it; nil where none did.
    package var key: Int64?
    /// From what it was made, where its callers ask for what came of that: another vendor's definition, or its API. Nil is pending.
    package var source: String?

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
