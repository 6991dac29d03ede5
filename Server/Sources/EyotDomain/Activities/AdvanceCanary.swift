import EyotContract

/// Takes an activity's canary on where its time has come, or where an operator says so. Part of a transaction.
package struct AdvanceCanary {
    private let ledger: any Ledger
    private let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// What time makes due.
    package func callAsFunction(_ activity: inout Activity) throws {
        switch activity.canaryStep(at: now) {
        case .none: return
        case .goOn: try goOn(&activity)
        case .widen:
            activity.widenCanary(at: now)
            try markShare(of: activity)
            try ledger.update(activity)
        }
    }

    /// It goes on with everyone, whatever Apple has said so far.
    package func goOn(_ activity: inout Activity) throws {
        guard let canary = activity.openCanary else { return }
        activity.goOn(at: now)
        if var declaration = try ledger.declaration(canary.version, of: activity.id) {
            declaration.releasedAt = now
            try ledger.update(declaration)
        }
        try ledger.wakeChannels(of: activity.id, at: now)
        try ledger.update(activity)
    }

    /// Whether everybody of its share has a place. Those of requests that are still being told come by and by.
    package func isShareThere(for canary: Canary, of activity: Activity) throws -> Bool {
        try !ledger.memberLists(of: activity.id, limit: MemberList.listsPerApp).contains { $0.version >= canary.oldest }
    }

    /// Pages with a part of the share are looked at again, though they have seen all that everyone has.
    package func markShare(of activity: Activity) throws {
        guard let canary = activity.openCanary, canary.upTo > 0 else { return }
        try ledger.changeRingPages(of: activity.id, upTo: RingPage.number(of: canary.upTo))
    }
}
