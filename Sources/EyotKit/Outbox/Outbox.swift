import EyotContract

/// What the server has still to be told, in order, merged and bounded. A value: it decides and performs nothing.
struct Outbox: Sendable, Equatable {
    /// Entries beyond this are trimmed, the least important first.
    static let capacity = 500

    /// Most numbers that are left out at a launch. Far fewer are given in one, so that those of two hardly ever mix: either all are
    /// higher than the lost ones, or the server speaks of a higher one than was ever given.
    static let widestGap = 1_000_000

    private(set) var entries: [DeviceChange] = []
    /// The highest number given in this epoch.
    private(set) var lastSequence = 0

    init() {}

    /// Takes up an outbox as it was stored.
    init(entries: [DeviceChange], lastSequence: Int) {
        self.entries = entries
        self.lastSequence = max(lastSequence, entries.last?.sequence ?? 0)
    }

    /// Takes a change. What it overtakes is forgotten; it always gets a number of its own, since the overtaken one may be
    /// on its way already.
    ///
    /// - Returns: how many entries were dropped to keep the bound.
    mutating func append(_ told: DeviceChange.Action) -> Int {
        guard !entries.contains(where: { $0.action.covers(told) }) else { return 0 }
        if case .cardSeen(let card) = told { list(card) }
        // A card that is spoken of again keeps the token that waits, and takes it along.
        let action = entries.lazy.compactMap { told.with(tokenOf: $0.action) }.first ?? told
        entries.removeAll { action.replaces($0.action) }
        lastSequence += 1
        entries.append(DeviceChange(sequence: lastSequence, action: action))
        mergeNeighbours()
        return trim()
    }

    /// Puts a card on the list of those that run, where that waits: the list may be old by the time that the server reads it, and what it
    /// leaves out is gone.
    private mutating func list(_ card: Card) {
        for index in entries.indices {
            guard case .running(card.type, var instances) = entries[index].action, !instances.contains(card.instance),
                instances.count < DeviceLimits.cardsPerReport
            else { continue }
            instances.append(card.instance)
            entries[index].action = .running(type: card.type, instances: instances)
        }
    }

    /// Forgets what the server has applied, and returns it.
    mutating func confirm(through sequence: Int) -> [DeviceChange] {
        let count = entries.prefix { $0.sequence <= sequence }.count
        defer { entries.removeFirst(count) }
        return Array(entries[..<count])
    }

    /// Forgets one change that the server will never take.
    mutating func drop(sequence: Int) { entries.removeAll { $0.sequence == sequence } }

    /// Forgets what was to be told of a type's start token.
    mutating func forgetStartToken(of type: String) {
        entries.removeAll { if case .setStartToken(type, _) = $0.action { true } else { false } }
    }

    /// Numbers everything anew, for a new epoch.
    mutating func renumber() {
        for index in entries.indices { entries[index].sequence = index + 1 }
        lastSequence = entries.count
    }

    /// Leaves out some numbers, so many as chance says. A launch whose end never reached the disk has given numbers, too, and the
    /// server would take whatever gets one of those for what it has applied already.
    mutating func leaveGap() { lastSequence += Int.random(in: 1...Self.widestGap) }

    /// The oldest changes, as they go on the wire now.
    func batch(limit: Int) -> [DeviceChange] { Array(entries.prefix(limit)) }

    /// Where nothing lies between two logins, only the last one counts.
    private mutating func mergeNeighbours() {
        var kept: [DeviceChange] = []
        for entry in entries {
            while let last = kept.last, entry.action.replacesNeighbour(last.action) { kept.removeLast() }
            kept.append(entry)
        }
        entries = kept
    }

    /// Keeps the bound: first the oldest reports about a card's content go, then all of the cards that are over, then all of the
    /// card that was spoken of longest ago, where there are more of them than a phone can show: nobody said of those that they are
    /// gone. What is left is bounded by itself: a token for each running card and each type, and logins between them.
    private mutating func trim() -> Int {
        let before = entries.count
        while entries.count > Self.capacity {
            if let index = entries.firstIndex(where: \.action.isContentReport) {
                entries.remove(at: index)
            } else if let over = firstFinished {
                entries.removeAll { $0.action.card?.instance == over }
            } else if let oldest = forgottenCard {
                entries.removeAll { $0.action.card?.instance == oldest }
            } else {
                break
            }
        }
        return before - entries.count
    }

    /// The card that was over first, and that was not taken up again.
    private var firstFinished: String? {
        entries.indices.lazy.compactMap { index in
            guard let over = entries[index].action.finishedInstance else { return nil }
            let isTakenUp = entries[(index + 1)...].contains { $0.action.isSighting(of: over) }
            return isTakenUp ? nil : over
        }.first
    }

    /// The card that was spoken of longest ago, where there are too many for all of them to run.
    private var forgottenCard: String? {
        var recent: Set<String> = []
        var oldest: String?
        for card in entries.reversed().compactMap(\.action.card) where recent.insert(card.instance).inserted {
            oldest = card.instance
        }
        return recent.count > DeviceLimits.cardsPerReport ? oldest : nil
    }
}
