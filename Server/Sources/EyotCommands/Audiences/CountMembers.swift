import EyotDomain

/// The preview of the members that a dry run leaves pending, because they are too many for its transaction. Each is
/// checked as the call would check it, by page, each page in a transaction of its own. Nothing is written.
package struct CountMembers: Sendable {
    /// Members that one transaction checks.
    package static let page = 500

    /// The counts of a preview.
    package struct Count: Sendable, Hashable {
        /// Devices that would get a card.
        package var starting = 0
        /// Devices that would get none, by reason.
        package var skipped: [StartFailure: Int] = [:]
        /// Replicas in the scope that are out of reach, or that know something newer.
        package var outOfReach = 0
        /// Members that were checked.
        package var looked = 0

        package init() {}
    }

    private let app: AppID
    private let now: Instant
    private let request: DeclarationRequest
    private let devices: [MemberRuns]
    private let replicas: [MemberRuns]
    /// Devices in the scope with a pending start. There is nothing to check before the start is processed.
    private let pendingStarts: Int
    /// The generation of the replicas.
    private let generation: ActivityID?

    /// - Throws: `dateOutOfRange`, like the call itself.
    package init(_ concerned: Concerned, app: AppID, now: Instant) throws(EyotError) {
        self.app = app
        self.now = now
        request = try concerned.body.request(at: now).request
        devices = concerned.frozen?.devices.others ?? []
        replicas = concerned.frozen?.replicas.others ?? []
        pendingStarts = concerned.frozen?.pendingStarts.count ?? 0
        generation = concerned.frozen?.activity
    }

    /// Whether there are members to count.
    package var isNeeded: Bool { !devices.isEmpty || !replicas.isEmpty || pendingStarts > 0 }

    /// Counts all members, or as many as time allows.
    ///
    /// - Parameter isOver: Called before each page.
    package func callAsFunction(in store: any Store, until isOver: () -> Bool) async throws -> Count {
        var count = Count()
        count.looked = pendingStarts
        for (runs, isDevices) in devices.map({ ($0, true) }) + replicas.map({ ($0, false) }) {
            var last: Int64 = 0
            while !isOver() {
                guard let members = MemberRuns.numbers(in: runs.bytes, after: last, limit: Self.page),
                    let next = members.last
                else { break }
                last = next
                count = try await store.read { [count] ledger in
                    try isDevices
                        ? look(atDevices: members, count, in: ledger) : look(atReplicas: members, count, in: ledger)
                }
            }
        }
        return count
    }

    private func look(atDevices members: [Int64], _ former: Count, in ledger: any Ledger) throws -> Count {
        var count = former
        count.looked += members.count
        let newest = try ledger.newestActivity(named: request.name, in: app)
        let running = newest.flatMap { $0.isEnded ? nil : $0 }
        guard let type = request.type ?? running?.type else { return count }
        let terms = StartTerms(
            attributesVersion: 0, isScoped: false, alerted: 0, startsAt: request.startsAt ?? now,
            isForced: request.isForced, restartsDismissed: request.restartsDismissed)
        let profile = try ledger.effectiveProfile(of: type, in: app)
        let decision = StartDecision(
            transaction: Transaction(ledger, at: now), terms: terms, type: type, profile: profile)
        for member in members {
            guard let device = try ledger.device(DeviceID(rawValue: member)) else { continue }
            let existing = try running.map { running in
                try ledger.replicas(of: device.id, named: running.name, in: app).filter { $0.activity == running.id }
            }
            if let failure = try decision.failure(for: device, existing: existing ?? [], insteadOf: running?.id) {
                count.skipped[failure, default: 0] += 1
            } else {
                count.starting += 1
            }
        }
        return count
    }

    private func look(atReplicas members: [Int64], _ former: Count, in ledger: any Ledger) throws -> Count {
        var count = former
        count.looked += members.count
        guard let generation, let activity = try ledger.activity(generation) else { return count }
        for member in members {
            let replica = try ledger.replica(Int(member), of: generation)
            guard let replica, replica.isWithinReach(of: request.verb == .end ? .end : .state, in: activity, at: now),
                request.verb == .end || !replica.knowsNewer(than: request.asOf, in: activity)
            else {
                count.outOfReach += 1
                continue
            }
        }
        return count
    }
}

extension Operation {
    /// Adds the counts of the members that a dry run left pending.
    package mutating func take(_ count: CountMembers.Count) {
        starting += count.starting
        skipped.merge(count.skipped) { $0 + $1 }
        if let members { self.members = members - count.outOfReach }
        pending -= count.looked
    }
}
