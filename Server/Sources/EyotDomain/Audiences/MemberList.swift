/// The pending members of a request that was too large for one transaction, frozen when it was accepted.
///
/// **Problem.** Each device of an audience needs a place, and each replica of a scope needs a mark. A row takes 20 to
/// 40 µs, and a transaction should take 10 ms, because all writers share one queue. A start for a million phones would
/// take 40 seconds in one transaction.
///
/// **Approach.** Members are found in one snapshot before the call's transaction. That transaction processes the first
/// ``inlineLimit`` of them, and stores the others as a list of rising numbers (``MemberRuns``). Further transactions
/// process the rest in order: 250 members of a scope, or up to 1,000 starts. ``processed`` says how far they are.
///
///     audience, scope                        the call's transaction        in the background
///     ───────────────▶  members, frozen  ──┬─▶ first 250: processed
///       one snapshot    at acceptance      └─▶ others: stored as a list ──▶ 250 or 1,000 at a time,
///                                                                           one list of each app in a round
///
/// **Why it is right.**
/// - The list is written in the call's transaction, so the call is durable as a whole (R9).
/// - ``processed`` changes in the transaction that processes the members, so a crash repeats nothing and skips nothing.
/// - Nothing is sent to a replica on a scope's list (``PendingMembers``), because it would be too old (R2).
/// - A member that is processed late keeps a newer scoped state, an alert that was given, and its first end
///   (``Replica/take(_:in:)``).
/// - If the activity ends, the pending starts of its lists are cancelled.
/// - A device with a pending start belongs to a scope like a device with a place. It goes on a list of its own kind
///   (``Purpose/pendingStarts(first:)``), which is never processed ahead of the start (``waits(for:)``). Its place is
///   therefore marked before anything leaves for it.
/// - Each round processes one list of each app, so an app with many lists does not delay the others (R10).
package struct MemberList: Sendable, Hashable {
    /// The most members that the call's transaction processes, so that small requests are whole at once. This is about
    /// the work of a transaction of 10 ms.
    package static let inlineLimit = 250
    /// The most places that one transaction reserves for devices without a known start. A device with a known start
    /// costs as much as a member of a scope, and is limited like one.
    package static let plannedInlineLimit = 1_000
    /// The most members of one request. Their list is written in one transaction.
    package static let limit = 5_000_000
    /// The most lists of one app that may wait at a time.
    package static let listsPerApp = 100

    package enum Purpose: Sendable, Hashable {
        /// Devices of the audience, which may get a card.
        case start(StartTerms)
        /// Replicas in the scope of the declaration, by their ordinals.
        case scope
        /// Devices in the scope of the declaration with a start that was pending when it was accepted. Their places
        /// from this ordinal on belong to the scope.
        case pendingStarts(first: Int)
    }

    /// 0 until it is stored.
    package var id: Int64 = 0
    package var app: AppID
    package var activity: ActivityID
    /// The declaration that its members are processed for.
    package var version: Version
    package var operation: Int64
    package var purpose: Purpose
    /// When the request was accepted.
    package var acceptedAt: Instant
    /// The number of ``PersonChanges`` in the snapshot in which the members of a start were found.
    package var personNumber: Int
    /// Members up to this number have been processed.
    package var processed: Int64 = 0

    package init(
        app: AppID, activity: ActivityID, version: Version, operation: Int64, purpose: Purpose, acceptedAt: Instant,
        personNumber: Int = 0
    ) {
        self.app = app
        self.activity = activity
        self.version = version
        self.operation = operation
        self.purpose = purpose
        self.acceptedAt = acceptedAt
        self.personNumber = personNumber
    }

    package var isStart: Bool {
        if case .start = purpose { true } else { false }
    }

    /// Whether its members wait for those of another list of the activity: it holds pending starts, and `other` is an
    /// earlier start. Their places have to be reserved first.
    package func waits(for other: MemberList) -> Bool {
        guard case .pendingStarts = purpose else { return false }
        return other.isStart && other.id < id
    }
}

/// The terms on which a start gives its audience cards.
package struct StartTerms: Sendable, Hashable {
    /// The declaration with the attributes that start the cards.
    package var attributesVersion: Version
    /// Whether the state applies only to the cards that the start makes.
    package var isScoped: Bool
    /// Alerts up to this version are older than the cards.
    package var alerted: Version
    /// When the starts leave.
    package var startsAt: Instant
    package var isForced: Bool
    package var restartsDismissed: Bool
    /// When the state of the start was true, if the caller says it.
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

    /// What they ask of each phone.
    package var wish: StartWish {
        StartWish(startsAt: startsAt, isForced: isForced, restartsDismissed: restartsDismissed)
    }
}
