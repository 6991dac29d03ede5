import EyotCommands
import EyotContract
import EyotDomain

/// A store that can be set back to what it held before, as by a restore.
package protocol RewindableStore: SimulationStore {
    /// Keeps what it holds now.
    func keepCopy()
    /// Holds what it held at ``keepCopy()``.
    func goBack()
}

/// A database that goes back while phones do not (R17): a copy is restored, a backend declares the newest of each
/// activity, and the app is resumed.
extension Simulation {
    /// Keeps a copy, or restores the one that is kept.
    func keepOrGoBack() throws {
        guard let store = store as? any RewindableStore else { return }
        guard !hasNodes else { return try succeed(on: store) }
        if let kept = keptRecord, random.percent(40) {
            keptRecord = nil
            try goBack(store, to: kept)
        } else {
            record.note("a copy is made")
            store.keepCopy()
            keptRecord = record
        }
    }

    private func goBack(_ store: any RewindableStore, to kept: SimulationRecord) throws {
        try surviving(crash)
        store.goBack()
        // A copy restores no call that is answered already.
        lastCall = nil
        try read { record.goBack(to: kept, placesUpTo: try lastPlaces()) }
        record.note("the copy is restored")
        wentBackAt = time
        // No push leaves in the second in which the former database may have pushed.
        if fault != .secondsRestored { time = time + 1 }
        try adopt()
        if fault != .historiesKept { history += 1 }
        // The process begins anew, with the database as it is now.
        try surviving(crash)
        for _ in 0..<random.below(12) {
            try surviving { try send(from: random.below(phones.count)) }
            try surviving(happen)
        }
        try surviving(declareNewest)
        try surviving(endHalts)
        // Perhaps still in the second of the restore.
        for _ in 0..<12 where underWay > 0 { try surviving(happen) }
    }

    /// The most microseconds that a standby lacks.
    private static let longestLag = 3_000_000

    /// A standby that lacks the last seconds takes the database over. The nodes go on, and find their leases ended.
    private func succeed(on store: any RewindableStore) throws {
        store.keepCopy()
        var kept = record
        try surviving(call)
        for _ in 0..<random.below(3) { try surviving { try send(from: random.below(phones.count)) } }
        for _ in 0..<random.below(30) { try surviving(happen) }
        try pass(seconds: Double(random.below(Self.longestLag)) / 1_000_000)
        store.goBack()
        lastCall = nil
        // Alerts that were declared before do not sound again, also if the standby does not know that they did (R4).
        // So none of them is owed.
        try read {
            kept.sounded = try record.sounded.filter { try ledger.declaration($0.version, of: $0.activity) != nil }
            kept.owed = [:]
            record.goBack(to: kept, placesUpTo: try lastPlaces())
        }
        record.note("a standby takes over")
        wentBackAt = time
        try store.write { ledger in
            if fault != .tenuresKept { try ledger.interruptTenures(of: sharding, at: time) }
            try ledger.begin(.fresh(.promoted, at: time))
        }
        history += 1
        for node in nodes {
            node.outliveHistory()
            guard node.isRunning else { continue }
            // A server looks for members and arrivals at intervals, so it finds what the standby still has to process.
            node.pending.append(.tell)
            if !node.isMerging { node.pending.append(.merge) }
            node.isMerging = true
        }
        try surviving(declareNewest)
    }

    /// When the first tenure after a takeover begins; nil if there was none. All pushes of former tenures carry earlier
    /// seconds, also those that Apple keeps for a phone.
    var firstTenureAt: Instant? {
        guard hasNodes, let wentBackAt else { return nil }
        return wentBackAt + NodeLease.tolerance + Double(NodeLease.duration)
    }

    /// What `eyot database restore` does with a copy.
    private func adopt() throws {
        try store.write { ledger in
            let adopt = AdoptBackup(Transaction(ledger, at: now))
            _ = try adopt.halt(route: "restore", beginning: .fresh(.restored, at: now))
            while try adopt.processLists() {}
            var place = AdoptBackup.Place()
            while try adopt.judge(from: &place) != nil {}
        }
    }

    /// The highest ordinal of each activity that the store knows.
    private func lastPlaces() throws -> [ActivityID: Int] {
        var last: [ActivityID: Int] = [:]
        for activity in try ledger.activities(after: ActivityID(rawValue: 0), limit: .max) {
            last[activity.id] = activity.nextOrdinal - 1
        }
        return last
    }

    /// A backend declares the newest state of each activity, as the page about restores tells it to.
    private func declareNewest() throws {
        for name in Self.names {
            let newest = try store.read { try $0.newestActivity(named: name, in: app) }
            let runs = newest.map { !$0.isEnded && $0.version > 0 } ?? false
            var request = DeclarationRequest(verb: runs ? .update : .put, name: name, content: content())
            if !runs {
                request.type = Self.type
                request.attributes = ["eyotActivityName": .string(name)]
                request.audience = .tag("fans")
            }
            try declare(request)
        }
    }

    // MARK: Phones

    /// Lets a phone hear the history in an answer. In another one it forgets what was confirmed.
    ///
    /// - Returns: Whether the history is new to it.
    func hear(_ history: Int, at index: Int) -> Bool {
        guard phones[index].history != history else { return false }
        phones[index].history = history
        phones[index].shown = [:]
        phones[index].confirmed = []
        phones[index].toldDigests = [:]
        return true
    }

    /// Notes what an answer confirms. Only a launch in these plans asks for it.
    func confirm(upTo sequence: Int, at index: Int) {
        guard plan.troubles.contains(.histories) else { return }
        for change in phones[index].outbox where change.sequence <= sequence {
            phones[index].confirmed.insert("\(change.action)")
        }
    }

    /// Whether a launch reports a token. One that is confirmed is not reported again, as in EyotKit.
    func isToReport(_ action: DeviceChange.Action, from index: Int) -> Bool {
        !phones[index].confirmed.contains("\(action)")
    }
}
