extension Ledger {
    /// Ends a card that is followed again while another card of its phone has its name. The other card inherits what
    /// was declared for it in the meantime, because it could not inherit that when it appeared.
    ///
    /// If the activity has ended, the end applies to both cards.
    ///
    /// - Parameter others: the phone's replicas of the name.
    package func leaveName(_ replica: inout Replica, of activity: Activity, to others: [Replica]) throws {
        guard !activity.isEnded, others.contains(where: { $0.replaces(replica) }), replica.supersede() else { return }
        let ordinal = replica.ordinal
        for var heir in replica.heirs(among: others.filter { $0.activity == activity.id && $0.ordinal != ordinal }) {
            heir.inherit(from: replica)
            try update(heir)
        }
    }
}
