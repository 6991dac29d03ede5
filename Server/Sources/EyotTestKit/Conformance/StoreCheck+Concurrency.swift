import EyotDomain

extension StoreCheck {
    static let concurrency = [keepsUpdates, keepsOrdinalsDense, restsOnTheNewest, lendsOnce]

    /// Fails if a store reads first and writes later.
    package static let keepsUpdates = StoreCheck("Writers of one row at the same time lose no update") { store in
        let (writers, rounds) = (16, 20)
        let id = try await store.write { try ConformanceRows.activity(in: $0) }
        try await withThrowingTaskGroup { group in
            for _ in 0..<writers {
                group.addTask {
                    for _ in 0..<rounds {
                        try await store.write { ledger in
                            guard var activity = try ledger.activity(id) else { throw Violation("it is gone") }
                            activity.wake(at: ConformanceRows.now)
                            try ledger.update(activity)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try require(await store.read { try $0.activity(id)?.stamp }, is: writers * rounds, "updates")
    }

    /// The same check with a row that depends on another one.
    package static let keepsOrdinalsDense = StoreCheck(
        "Ordinals that are given at the same time are dense, and none is given twice"
    ) { store in
        let joins = 60
        let (id, device) = try await store.write { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            return (try rows.activity(in: app).id, try rows.device("a", in: app).id)
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<joins {
                group.addTask {
                    try await store.write { ledger in
                        guard var activity = try ledger.activity(id) else { throw Violation("it is gone") }
                        try ledger.insert(
                            Replica(
                                activity: id, ordinal: activity.nextOrdinal, device: device,
                                phase: .waitingForToken, createdAt: ConformanceRows.now))
                        activity.nextOrdinal += 1
                        try ledger.update(activity)
                    }
                }
            }
            try await group.waitForAll()
        }
        let ordinals = try await store.read { try $0.replicas(of: id, after: 0, limit: 999).map(\.ordinal) }
        try require(ordinals, is: Array(1...joins), "ordinals")
    }

    /// The guarantee that the engine needs when an activity has nothing more to do.
    package static let restsOnTheNewest = StoreCheck(
        "Who rests an activity on what it has seen does not undo a wake that came between"
    ) { store in
        let id = try await store.write { try ConformanceRows.activity(in: $0) }
        let wake: @Sendable (any Ledger) throws -> Int = { ledger in
            guard var activity = try ledger.activity(id) else { throw Violation("it is gone") }
            activity.wake(at: ConformanceRows.now)
            try ledger.update(activity)
            return activity.stamp
        }
        let seen = try await store.write(wake)
        let newer = try await store.write(wake)
        try require(await rest(id, stamp: seen, store), is: false, "resting on what is outdated")
        try require(
            await store.read { try $0.dueActivities(at: ConformanceRows.now, limit: 1).map(\.id) }, is: [id],
            "still due")
        try require(await rest(id, stamp: newer, store), is: true, "resting on the newest")
        try require(
            await store.read { try $0.dueActivities(at: ConformanceRows.now, limit: 1).map(\.id) }, is: [], "at rest")
        try require(await store.read { try $0.nextDue(after: .after(-1)) }, is: nil, "nothing is due later")
    }

    /// The guarantee that keeps two nodes from pushing at once.
    package static let lendsOnce = StoreCheck("Of many nodes that want the lease at the same time one gets it") {
        store in
        let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask {
                    try await store.write { ledger in
                        let node = NodeID(rawValue: "\(number)")
                        let entry = try Tenure.begin(by: node, in: ledger, at: ConformanceRows.now, isAlone: false)
                        if case .granted = entry { return true }
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        try require(granted, is: 1, "nodes that got it")
        try require(await store.read { try $0.nodeLease(of: 0)?.epoch }, is: 1, "tenures")
    }

    private static func rest(_ id: ActivityID, stamp: Int, _ store: any Store) async throws -> Bool {
        try await store.write { ledger in
            guard var activity = try ledger.activity(id), activity.stamp == stamp else { return false }
            activity.dueAt = nil
            try ledger.update(activity)
            return true
        }
    }
}

extension ConformanceRows {
    /// Makes an activity in an app of its own.
    fileprivate static func activity(in ledger: any Ledger) throws -> ActivityID {
        let rows = ConformanceRows(ledger: ledger)
        return try rows.activity(in: try rows.app()).id
    }
}
