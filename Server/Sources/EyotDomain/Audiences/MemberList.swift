/// Whom a request concerns, frozen when it was accepted, as far as there were too many for the transaction that took it. They
/// are told by and by, in short transactions: places are kept for those who are to get a card, and those in a scope are marked.
package struct MemberList: Sendable, Hashable {
    /// Members that the transaction of a request tells itself, so that small requests are whole at once. About what a
    /// transaction of 10 ms does.
    package static let inlineLimit = 250
    /// Devices for which one transaction keeps places, where no start of theirs is known. Those of whom one is known take as long as
    /// others that are told.
    package static let plannedInlineLimit = 1_000
    /// The most members of one request. Their list is written in one transaction.
    package static let limit = 5_000_000
    /// Lists of one app that may wait at a time.
    package static let listsPerApp = 100

    package enum Purpose: Sendable, Hashable {
        /// Devices of the audience may get a card.
        case start(StartTerms)
        /// Replicas, by their ordinals, are in the scope of the declaration.
        case scope
        /// Devices are in the scope of the declaration that waited on the list of a start when it was accepted: the places that are kept for
        /// them from this ordinal on belong to it.
        case pendingStarts(first: Int)
    }

    /// 0 until it is stored.
    package var id: Int64 = 0
    package var app: AppID
    package var activity: ActivityID
    /// The declaration that they are told of.
    package var version: Int
    package var operation: Int64
    package var purpose: Purpose
    /// When the request was accepted.
    package var acceptedAt: Instant
    /// Members up to this one have been told.
    package var processed: Int64 = 0

    package init(
        app: AppID, activity: ActivityID, version: Int, operation: Int64, purpose: Purpose, acceptedAt: Instant
    ) {
        self.app = app
        self.activity = activity
        self.version = version
        self.operation = operation
        self.purpose = purpose
        self.acceptedAt = acceptedAt
    }

    package var isStart: Bool {
        if case .start = purpose { true } else { false }
    }

    /// Whether members are told no further than those of another list of the activity have been, which came before: their places have to
    /// be kept first.
    package func waits(for other: MemberList) -> Bool {
        guard case .pendingStarts = purpose else { return false }
        return other.isStart && other.id < id
    }
}

/// On what terms a start gives its audience cards.
package struct StartTerms: Sendable, Hashable {
    /// The declaration whose attributes start the cards.
    package var attributesVersion: Int
    /// The state is for the cards that it starts alone.
    package var isScoped: Bool
    /// Alerts up to this version are older than the cards.
    package var alerted: Int
    /// When the starts leave.
    package var startsAt: Instant
    package var isForced: Bool
    package var restartsDismissed: Bool
    /// When the state of the start was true, where the caller says it.
    package var asOf: Instant?

    package init(
        attributesVersion: Int, isScoped: Bool, alerted: Int, startsAt: Instant, isForced: Bool, restartsDismissed: Bool
    ) {
        self.attributesVersion = attributesVersion
        self.isScoped = isScoped
        self.alerted = alerted
        self.startsAt = startsAt
        self.isForced = isForced
        self.restartsDismissed = restartsDismissed
    }
}
