import EyotDomain

/// The changes that make a backup safe to serve with. One transaction each.
///
/// What happened after the backup is unknown. Every app is halted, so that nothing leaves before its operator has
/// looked. A start that may have left after the backup counts as unknown, so it is not sent again while it may still
/// arrive (R6).
package struct AdoptBackup: UseCase {
    /// How many replicas and activities one transaction looks at. The last activity may add as many once more.
    static let portion = 1_000

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// What is due in a backup.
    package struct Account: Sendable, Equatable {
        /// Activities that have not ended.
        package var activities = 0
        /// Running cards.
        package var cards = 0
        /// Running cards that have not accepted their newest declaration. They are pushed when the app is resumed.
        package var behind = 0
        /// Starts that may have left after the backup. Those without a card go again when they cannot arrive any more.
        package var unknownStarts = 0
        /// Starts that are planned for later.
        package var plannedStarts = 0

        package init() {}

        package static func += (account: inout Account, other: Account) {
            account.activities += other.activities
            account.cards += other.cards
            account.behind += other.behind
            account.unknownStarts += other.unknownStarts
            account.plannedStarts += other.plannedStarts
        }
    }

    /// A place among the replicas of all activities.
    package struct Place: Sendable, Equatable {
        var activity = ActivityID(rawValue: 0)
        /// Nil before the activity behind ``activity``.
        var ordinal: Int?

        package init() {}
    }

    /// Halts every app, and records what did it.
    ///
    /// - Parameters:
    ///   - route: The command, for the record.
    ///   - reason: The word for the reason, for the record.
    ///   - history: The history that begins, because the copy goes back behind what phones know; nil if it does not.
    package func halt(route: String, reason: String = "restored", beginning history: History?) throws -> [App] {
        if let history { try ledger.begin(history) }
        return try ledger.apps().map { former in
            let app = try SetHalt(transaction).halt(app: former.id)
            try ledger.note(
                AuditEntry(
                    app: app.id, at: now, key: 0, hint: "", method: "CLI", route: route, subject: "halted=\(reason)",
                    status: 200, address: nil))
            return app
        }
    }

    /// Processes a portion of a member list, so that its starts are known before they are judged.
    ///
    /// - Returns: Whether a list was processed further.
    package func processLists() throws -> Bool {
        for list in try ledger.memberLists(after: 0, limit: MemberList.listsPerApp) {
            if try ProcessMembers(transaction)(list.id) { return true }
        }
        return false
    }

    /// Judges the next replicas, of as many activities as a transaction may look at.
    ///
    /// - Parameter place: Moved behind the last of them.
    /// - Returns: What was found, by app; nil if there are no more.
    package func judge(from place: inout Place) throws -> [AppID: Account]? {
        var (found, looks): ([AppID: Account], Int) = ([:], 0)
        while looks < Self.portion, let (app, account, count) = try judgeNext(from: &place) {
            found[app, default: Account()] += account
            looks += count + 1
        }
        return looks == 0 ? nil : found
    }

    /// Judges replicas of one activity, or finds the next activity.
    private func judgeNext(from place: inout Place) throws -> (app: AppID, Account, replicas: Int)? {
        guard let ordinal = place.ordinal else {
            guard let next = try ledger.activities(after: place.activity, limit: 1).first else { return nil }
            place.activity = next.id
            var account = Account()
            if next.endedAt == nil {
                place.ordinal = 0
                account.activities = 1
            }
            return (next.app, account, 0)
        }
        guard let activity = try ledger.activity(place.activity) else { return nil }
        let replicas = try ledger.replicas(of: activity.id, after: ordinal, limit: Self.portion)
        place.ordinal = replicas.count == Self.portion ? replicas.last?.ordinal : nil
        var account = Account()
        for replica in replicas { try judge(replica, in: activity, &account) }
        return (activity.app, account, replicas.count)
    }

    private func judge(_ replica: Replica, in activity: Activity, _ account: inout Account) throws {
        if [.live, .waitingForToken].contains(replica.phase) { account.cards += 1 }
        if replica.phase == .live, replica.acceptedVersion < replica.desired(in: activity) { account.behind += 1 }
        guard replica.phase == .starting else { return }
        guard !replica.isPlanned(after: now) else {
            account.plannedStarts += 1
            return
        }
        account.unknownStarts += 1
        // It, or a repetition of it, may have left at any moment until now. So it may arrive for as long as a start
        // that leaves now.
        var doubted = replica
        doubted.doubtStart(until: now)
        try transaction.update(doubted, from: replica, in: activity.app)
    }
}
