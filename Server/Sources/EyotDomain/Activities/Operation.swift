/// One accepted request: for the record, for polling, and for answering a repetition as the first time (R14).
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
    /// What the caller should know though nothing is wrong.
    package var warnings: [String] = []
    package var acceptedAt: Instant
    package var idempotency: Idempotency?

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

/// What tells a repeated request from a new one.
package struct Idempotency: Sendable, Hashable {
    /// For how long a key is remembered, in seconds.
    package static let lifetime = 86_400.0

    package var key: String
    /// Of the request's method, path and body.
    package var digest: [UInt8]

    package init(key: String, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}
