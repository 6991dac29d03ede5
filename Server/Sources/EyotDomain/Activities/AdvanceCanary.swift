import EyotContract

/// A step of an activity's canary, taken when it is due or an operator asks for it. Part of a transaction.
package struct AdvanceCanary: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Takes the step that is due, if any.
    package func callAsFunction(_ activity: inout Activity) throws {
        switch activity.canaryStep(at: now) {
        case .none: return
        case .proceed: try proceed(&activity)
        case .widen:
            activity.widenCanary(at: now)
            try markShare(of: activity)
            try ledger.update(activity)
        }
    }

    /// Sends the declaration on to everyone, whatever Apple has answered so far.
    package func proceed(_ activity: inout Activity) throws {
        guard let canary = activity.openCanary else { return }
        activity.proceed(at: now)
        if var declaration = try ledger.declaration(canary.version, of: activity.id) {
            declaration.releasedAt = now
            try ledger.update(declaration)
        }
        try ledger.wakeChannels(of: activity.id, at: now)
        try ledger.update(activity)
    }

    /// Whether the whole share has its places. Pending members of requests get theirs later.
    package func isShareThere(for canary: Canary, of activity: Activity) throws -> Bool {
        try !ledger.memberLists(of: activity.id, limit: MemberList.listsPerApp).contains { $0.version >= canary.oldest }
    }

    /// Makes the pages with a part of the share unseen, so that they are looked at again.
    package func markShare(of activity: Activity) throws {
        guard let canary = activity.openCanary, canary.upTo > 0 else { return }
        try ledger.changeRingPages(of: activity.id, upTo: RingPage.number(of: canary.upTo))
    }
}
