import EyotDomain

/// The erasure of content that was declared only for removed phones.
///
/// If all phones of an activity are gone, all its content is erased. Otherwise only content for a single card is
/// erased, and only if no remaining card shows it.
package struct EraseContents {
    /// Replicas, or declarations, in one read.
    package static let page = 500
    /// Replicas of an activity that are read at most. In a larger activity only the newest states of the removed
    /// phones' own cards are erased.
    package static let lookLimit = 100_000

    /// A trace of a removed phone's card: its activity, and its newest scoped declaration.
    package struct Trace: Sendable, Hashable {
        package var activity: ActivityID
        package var scoped: Version
    }

    let ledger: any Ledger

    package init(ledger: any Ledger) { self.ledger = ledger }

    /// The traces that a device leaves, a part at a time.
    ///
    /// - Returns: The traces, and where to continue. The second is nil if these were all.
    package func traces(
        of device: DeviceID, after place: ForgetDevice.Place = ForgetDevice.Place()
    ) throws -> ([Trace], next: ForgetDevice.Place?) {
        let replicas = try ledger.replicas(
            of: device, after: place.activity, ordinal: place.ordinal, limit: Self.page)
        let traces = replicas.map { Trace(activity: $0.activity, scoped: $0.scopedState) }
        guard replicas.count == Self.page, let last = replicas.last else { return (traces, nil) }
        var next = ForgetDevice.Place()
        (next.activity, next.ordinal) = (last.activity, last.ordinal)
        return (traces, next)
    }

    /// The declarations of an activity that are to be erased. It only reads, and may take long. The phones are gone by
    /// then.
    package func versions(_ trace: Trace) throws -> [Int] {
        guard let activity = try ledger.activity(trace.activity) else { return [] }
        let own = try [trace.scoped].filter { try isForOne($0, of: activity.id) }
        guard activity.nextOrdinal - 1 <= Self.lookLimit else { return own }
        guard let shown = try shown(in: activity) else { return try all(of: activity.id) { _ in true } }
        // The members of a list are not processed yet, so their declarations must stay.
        guard try ledger.memberLists(of: activity.id, limit: 1).isEmpty else {
            return own.filter { !shown.contains($0) }
        }
        return try all(of: activity.id) { $0.scope == .members(count: 1) && !shown.contains($0.version) }
    }

    private func isForOne(_ version: Version, of activity: ActivityID) throws -> Bool {
        try ledger.declaration(version, of: activity)?.scope == .members(count: 1)
    }

    /// The declarations that remaining cards show, or may be started from. Nil if no card remains.
    private func shown(in activity: Activity) throws -> Set<Int>? {
        var shown: Set<Int> = []
        var isAnybodyLeft = false
        var last = 0
        while true {
            let replicas = try ledger.replicas(of: activity.id, after: last, limit: Self.page)
            for replica in replicas {
                guard let device = try ledger.device(replica.device), !device.isForgotten else { continue }
                isAnybodyLeft = true
                shown.formUnion([replica.scopedState, replica.lease?.version].compactMap(\.self))
            }
            guard replicas.count == Self.page, let end = replicas.last else { break }
            last = end.ordinal
        }
        let live = try ledger.liveAudiences(of: activity.app, limit: LiveAudience.perApp)
            .filter { $0.activity == activity.id }
        guard isAnybodyLeft || !live.isEmpty else { return nil }
        return shown.union(live.map(\.start.attributesVersion))
    }

    private func all(of activity: ActivityID, where isMeant: (Declaration) -> Bool) throws -> [Int] {
        var versions: [Int] = []
        var last = 0
        while true {
            let found = try ledger.declarations(of: activity, after: last, limit: Self.page)
            versions += found.filter(isMeant).map(\.version)
            guard found.count == Self.page, let end = found.last else { return versions }
            last = end.version
        }
    }
}
