extension Ledger {
    /// A card that is followed again while another one of its phone has its name gives way to that, and leaves it what concerned it
    /// until now: it was never told, where it has come before.
    ///
    /// Where the activity has ended, that end is for both of them.
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
