import EyotDomain

/// The error that a body throws on purpose.
private struct Refused: Error {}

extension StoreCheck {
    /// Fails if the writes of a body that throws remain, or if they undo other writes.
    package static let undoesWhatThrows = StoreCheck("A body that throws undoes its own writes and nobody else's") {
        store in
        let count = 40
        let isRefused = { @Sendable (index: Int) in index % 3 == 0 }
        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<count {
                group.addTask {
                    do {
                        try await store.write { ledger in
                            _ = try ConformanceRows(ledger: ledger).app("\(index)")
                            if isRefused(index) { throw Refused() }
                        }
                        return false
                    } catch is Refused {
                        return true
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        try require(refused, is: (0..<count).count(where: isRefused), "bodies whose error came back")
        let names = try await store.read { try $0.apps().map(\.name) }
        try require(
            Set(names), is: Set((0..<count).filter { !isRefused($0) }.map(String.init)), "what was written")
    }

    /// Fails if the writes of a trial remain, or if they undo other writes.
    package static let leavesNothingOfTrials = StoreCheck("What is tried out is answered, and leaves nothing") {
        store in
        let (count, isTrial) = (40, { @Sendable (index: Int) in index % 3 == 0 })
        let answers = try await withThrowingTaskGroup(of: String?.self) { group in
            for index in 0..<count {
                group.addTask {
                    let body = { @Sendable (ledger: any Ledger) in
                        let app = try ConformanceRows(ledger: ledger).app("\(index)")
                        return try ledger.app(app)?.name
                    }
                    return try await isTrial(index) ? store.tryOut(body) : store.write(body)
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        try require(answers, is: Set((0..<count).map(String.init)), "what was answered")
        do {
            try await store.tryOut { ledger in
                _ = try ConformanceRows(ledger: ledger).app("refused")
                throw Refused()
            }
            throw Violation("the error of what was tried out was lost")
        } catch is Refused {}
        let names = try await store.read { try $0.apps().map(\.name) }
        try require(Set(names), is: Set((0..<count).filter { !isTrial($0) }.map(String.init)), "what was written")
    }

    /// Fails if a kept number misses a committed write, or counts one that was undone.
    package static let countsWhatIsCommitted = StoreCheck("What is committed is counted once, and nothing else is") {
        store in
        let app = try await store.write { try ConformanceRows(ledger: $0).app() }
        let key = CountKey(app: app, activity: ActivityID(rawValue: 1), .accepted, in: CountSpan(width: 10, second: 0))
        let count = 60
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                group.addTask {
                    let body = { @Sendable (ledger: any Ledger) in
                        ledger.counted.add(1, to: key)
                        guard index % 3 == 0 else { return }
                        // An app of this name makes the transaction undo what it has written.
                        if index % 2 == 0 { _ = try ConformanceRows(ledger: ledger).app("undone") }
                        throw Refused()
                    }
                    if index % 3 == 1 { try? await store.tryOut(body) } else { try? await store.write(body) }
                }
            }
        }
        let kept = try await store.read { try $0.count(at: key) }
        try require(kept, is: (0..<count).count { $0 % 3 == 2 }, "what is kept")
    }

    static let transactions = [
        StoreCheck("What was written is read, and a read writes nothing") { store in
            let id = try await store.write { try ConformanceRows(ledger: $0).app() }
            try require(await store.read { try $0.app(id)?.name }, is: "one", "after the write")
            do {
                _ = try await store.read { try ConformanceRows(ledger: $0).app("two") }
            } catch {
                return try require(await store.read { try $0.apps().count }, is: 1, "after the refused read")
            }
            throw Violation("a read wrote")
        },
        undoesWhatThrows,
        leavesNothingOfTrials,
        countsWhatIsCommitted,
        StoreCheck("A row that the database refuses undoes the body that wrote it") { store in
            _ = try await store.write { try ConformanceRows(ledger: $0).app("taken") }
            do {
                try await store.write { ledger in
                    _ = try ConformanceRows(ledger: ledger).app("free")
                    _ = try ConformanceRows(ledger: ledger).app("taken")
                }
            } catch {
                return try require(await store.read { try $0.apps().map(\.name) }, is: ["taken"], "what is there")
            }
            throw Violation("a second app of a bundle was taken")
        },
        StoreCheck("A committed write wakes the engine, and one that failed does not") { store in
            let (asleep, awake) = (ActivityID(rawValue: 1), ActivityID(rawValue: 2))
            try? await store.write { ledger in
                ledger.woken.insert(asleep)
                throw Refused()
            }
            try await store.write { _ = $0.woken.insert(awake) }
            for await woken in store.woken { return try require(woken, is: [awake], "the first hint") }
            throw Violation("the hints ended")
        },
        StoreCheck("The store says that it answers") { store in try await store.check() },
    ]
}
