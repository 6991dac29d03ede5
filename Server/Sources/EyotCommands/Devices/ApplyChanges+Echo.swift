import EyotContract
import EyotDomain

/// What phones report of the states that their cards show.
extension ApplyChanges {
    /// Keeps which declaration a card shows. A report of an unknown card says nothing.
    func hear(_ digest: StateDigest, from card: Card, on device: DeviceID) throws {
        guard let replica = try ledger.replica(ofInstance: card.instance, on: device),
            let activity = try ledger.activity(replica.activity)
        else { return }
        let declaration = DeclarationReader(ledger, of: activity.id)
        let version = try replica.version(showing: digest, in: activity, declaration.callAsFunction)
        try transaction.put(
            Echo(activity: activity.id, ordinal: replica.ordinal, version: version, at: now), of: replica,
            declared: declaration(version)?.countsFrom, in: activity.app)
        ledger.count(
            .reported(report(version, from: replica, in: activity), by: device, of: activity.id), of: activity.app)
    }

    /// Compares what a card shows with the newest state for it.
    private func report(_ version: Version, from replica: Replica, in activity: Activity) -> Occurrence.Report {
        guard version > 0 else { return .unknown }
        return version >= max(replica.common(in: activity).state, replica.scopedState) ? .same : .older
    }
}
