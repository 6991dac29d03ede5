import EyotDomain

/// The death of the process within a transaction.
struct ProcessDeath: Error {}

/// The error of using the ledger outside a transaction.
struct OutsideTransaction: Error {}

extension Simulation {
    /// The process dies in one of this many transactions.
    private static let deathRate = 100

    /// The ledger of the open transaction.
    var ledger: any Ledger {
        get throws {
            guard let transaction else { throw OutsideTransaction() }
            return transaction
        }
    }

    /// Reads in one snapshot.
    func read(_ body: () throws -> Void) throws {
        try store.read { ledger in
            transaction = ledger
            defer { transaction = nil }
            try body()
        }
    }

    /// Writes in one transaction, and passes on which activities it woke.
    ///
    /// - Throws: ``ProcessDeath`` if the process died in it. Nothing of the transaction remains then.
    func write(_ body: () throws -> Void) throws {
        let before = dies() ? record : nil
        var woken: Set<ActivityID> = []
        do {
            try store.write { ledger in
                transaction = ledger
                defer { transaction = nil }
                let last = fault == nil ? 0 : try newestEvent(in: ledger)
                try body()
                if plan.isSpread { try spread() }
                try spoilEvents(after: last)
                try spoilAcceptances()
                try spoilCounts()
                try noteMoment(in: ledger)
                woken = ledger.woken
                if before != nil, fault != .deathsCommit { throw ProcessDeath() }
            }
            if before != nil { throw ProcessDeath() }
        } catch let death as ProcessDeath {
            // The record forgets the lost transaction.
            if let before { record = before }
            try recordUndoneEvents()
            throw death
        }
        hint(woken)
    }

    /// Skips ordinals so that few phones are on several pages: one on every other page, and two on those between.
    private func spread() throws {
        for name in Self.names {
            guard var activity = try ledger.newestActivity(named: name, in: app) else { continue }
            let page = RingPage.number(of: activity.nextOrdinal)
            guard activity.nextOrdinal - RingPage.first(onPage: page) > page % 2 else { continue }
            activity.nextOrdinal = RingPage.first(onPage: page + 1)
            try ledger.update(activity)
        }
    }

    private func dies() -> Bool {
        !isPeace && plan.troubles.contains(.crashes) && random.below(Self.deathRate) == 0
    }

    /// Runs an action in which the process may die. A dead process starts again.
    ///
    /// - Returns: whether the process survived.
    @discardableResult
    func surviving(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch is ProcessDeath {
            record.note("dies in a transaction")
            try crash()
            return false
        }
    }
}
