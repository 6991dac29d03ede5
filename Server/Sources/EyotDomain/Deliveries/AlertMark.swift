import APNSWire

/// The alerts for running cards on one page that is on its way. A mark is durable before the bytes leave, and goes with
/// the page's verdicts.
///
/// A mark without verdicts outlives a crash. The process that pushes next cannot know which of its alerts sounded, so
/// it counts them as given (R4). Alerts of `urgent` declarations are not marked and go again.
package struct AlertMark: Sendable, Hashable {
    /// The first alert of the page. It stays the key of what is left of the mark, so another page with the same first
    /// card may find it taken, and has a later second then.
    package struct Key: Sendable, Hashable {
        package var activity: ActivityID
        package var ordinal: Int
        package fileprivate(set) var second: Int

        package init(activity: ActivityID, ordinal: Int, second: Int) {
            (self.activity, self.ordinal, self.second) = (activity, ordinal, second)
        }
    }

    /// Cards of one activity with adjacent ordinals and the same alert.
    package struct Run: Sendable, Hashable {
        package var activity: ActivityID
        package var alert: Version
        package var first: Int
        package var count: Int

        package var ordinals: Range<Int> { first..<first + count }
    }

    package fileprivate(set) var key: Key
    package private(set) var runs: [Run] = []

    package init(_ key: Key) { self.key = key }

    package var isEmpty: Bool { runs.isEmpty }

    /// Adds a card. Cards with rising ordinals share a run.
    package mutating func add(_ ordinal: Int, of activity: ActivityID, alert: Version) {
        if let last = runs.last, last.activity == activity, last.alert == alert, last.ordinals.upperBound == ordinal,
            last.count < UInt16.max
        {
            runs[runs.count - 1].count += 1
        } else {
            runs.append(Run(activity: activity, alert: alert, first: ordinal, count: 1))
        }
    }

    /// The mark with some of its cards.
    package func keeping(_ isKept: (ActivityID, Int) -> Bool) -> AlertMark {
        var kept = AlertMark(key)
        for run in runs {
            for ordinal in run.ordinals where isKept(run.activity, ordinal) {
                kept.add(ordinal, of: run.activity, alert: run.alert)
            }
        }
        return kept
    }

    /// The mark without the cards of a part of it.
    fileprivate func removing(_ part: AlertMark) -> AlertMark {
        var cards: [ActivityID: Set<Int>] = [:]
        for run in part.runs { cards[run.activity, default: []].formUnion(run.ordinals) }
        return keeping { cards[$0]?.contains($1) != true }
    }

    /// Removes and returns the first cards, at most `limit`, as runs.
    package mutating func removeFirst(_ limit: Int) -> [Run] {
        var (removed, left): ([Run], Int) = ([], limit)
        while left > 0, var run = runs.first {
            let count = min(left, run.count)
            removed.append(Run(activity: run.activity, alert: run.alert, first: run.first, count: count))
            left -= count
            (run.first, run.count) = (run.first + count, run.count - count)
            if run.count == 0 { runs.removeFirst() } else { runs[0] = run }
        }
        return removed
    }
}

// MARK: - In the store

extension Transaction {
    /// Notes the alerts of a page that is about to leave.
    ///
    /// - Returns: The mark as it is stored.
    package func note(_ mark: AlertMark) throws -> AlertMark {
        var mark = mark
        while try ledger.alertMark(mark.key) != nil { mark.key.second += 1 }
        try ledger.insert(mark)
        return mark
    }

    /// Removes the mark of a page, or of a part of it, with the page's verdicts. Parts are settled in any order.
    package func settle(_ mark: AlertMark, isPart: Bool) throws {
        guard isPart, let stored = try ledger.alertMark(mark.key) else { return try ledger.removeAlertMark(mark.key) }
        let rest = stored.removing(mark)
        if rest.isEmpty { try ledger.removeAlertMark(mark.key) } else { try ledger.update(rest) }
    }
}

// MARK: - As bytes

extension AlertMark {
    /// Bytes of a run: activity, alert, first ordinal and count, low bytes first.
    private static let runBytes = 8 + 4 + 4 + 2

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(runs.count * Self.runBytes)
        for run in runs {
            bytes.append(run.activity.rawValue, count: 8)
            bytes.append(Int64(run.alert), count: 4)
            bytes.append(Int64(run.first), count: 4)
            bytes.append(Int64(run.count), count: 2)
        }
        return bytes
    }

    /// Reads ``bytes``; nil if they are none.
    package init?(_ key: Key, bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: Self.runBytes) else { return nil }
        self.init(key)
        for start in stride(from: 0, to: bytes.count, by: Self.runBytes) {
            runs.append(
                Run(
                    activity: ActivityID(rawValue: bytes.number(at: start, count: 8)),
                    alert: Int(bytes.number(at: start + 8, count: 4)),
                    first: Int(bytes.number(at: start + 12, count: 4)),
                    count: Int(bytes.number(at: start + 16, count: 2))))
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: Int64, count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: number >> Int64(8 * index))) }
    }

    fileprivate func number(at start: Int, count: Int) -> Int64 {
        (0..<count).reduce(0) { $0 | Int64(self[start + $1]) << Int64(8 * $1) }
    }
}

// MARK: - Lost answers

extension Replica {
    /// Counts an alert as given, because the answer to the push that carried it is lost (R4).
    fileprivate mutating func loseAnswer(ofAlert version: Version) { alertedVersion = max(alertedVersion, version) }
}

extension Transaction {
    /// Counts alerts of pages as given that left, or may have, in a process that is gone.
    ///
    /// - Parameter limit: The most cards that are changed.
    /// - Returns: Whether there may be more.
    package func loseAnswers(ofAlertsIn shards: Shards, limit: Int) throws -> Bool {
        var left = limit
        for mark in try ledger.alertMarks(limit: limit, in: shards) {
            var rest = mark
            let runs = rest.removeFirst(left)
            for run in runs { try loseAnswers(of: run) }
            left -= runs.reduce(0) { $0 + $1.count }
            if rest.isEmpty { try ledger.removeAlertMark(mark.key) } else { try ledger.update(rest) }
            guard left > 0 else { return true }
        }
        return false
    }

    private func loseAnswers(of run: AlertMark.Run) throws {
        guard var activity = try ledger.activity(run.activity) else { return }
        var unknown = 0
        for ordinal in run.ordinals {
            guard let former = try ledger.replica(ordinal, of: run.activity), former.alertedVersion < run.alert else {
                continue
            }
            var replica = former
            replica.loseAnswer(ofAlert: run.alert)
            try update(replica, from: former, in: activity.app)
            unknown += 1
        }
        guard unknown > 0 else { return }
        activity.tally.unknown += unknown
        try ledger.update(activity)
    }
}
