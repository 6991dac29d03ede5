import EyotContract
import EyotDomain

/// Keeps which declarations cards show, as their phones report it.
struct HearEchoes: UseCase {
    /// What the reports of one activity's cards share.
    private struct Common {
        let activity: Activity
        let declaration: DeclarationReader
    }

    let transaction: Transaction
    private var common: [ActivityID: Common] = [:]

    init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// - Parameters:
    ///   - digest: What the card shows.
    ///   - instance: ActivityKit's id of the card. A report of an unknown card says nothing.
    ///   - moment: When the report came.
    mutating func callAsFunction(
        _ digest: StateDigest, fromCard instance: String, on device: DeviceID, at moment: Instant
    ) throws {
        guard let replica = try ledger.replica(ofInstance: instance, on: device) else { return }
        try self(digest, from: replica, at: moment)
    }

    mutating func callAsFunction(_ digest: StateDigest, from replica: Replica, at moment: Instant) throws {
        guard let common = try common(of: replica) else { return }
        let (activity, declaration) = (common.activity, common.declaration)
        let version = try replica.version(showing: digest, in: activity, declaration.callAsFunction)
        try transaction.put(
            Echo(activity: activity.id, ordinal: replica.ordinal, version: version, at: moment), of: replica,
            declared: declaration(version)?.countsFrom, in: activity.app)
        let report = report(version, from: replica, in: activity)
        ledger.count(.reported(report, by: replica.device, of: activity.id), of: activity.app)
    }

    private mutating func common(of replica: Replica) throws -> Common? {
        if let known = common[replica.activity] { return known }
        guard let activity = try ledger.activity(replica.activity) else { return nil }
        let found = Common(activity: activity, declaration: DeclarationReader(ledger, of: activity.id))
        common[activity.id] = found
        return found
    }

    /// Compares what a card shows with the newest state for it.
    private func report(_ version: Version, from replica: Replica, in activity: Activity) -> Occurrence.Report {
        guard version > 0 else { return .unknown }
        return version >= max(replica.common(in: activity).state, replica.scopedState) ? .same : .older
    }
}
