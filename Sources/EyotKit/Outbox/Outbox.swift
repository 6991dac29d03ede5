import EyotContract

/// The changes that the server must still get: in order, merged and bounded. A value that decides and performs nothing.
struct Outbox: Sendable, Equatable {
    /// The most entries. Beyond that the least important ones are dropped first.
    static let capacity = 500

    /// The most sequences that are skipped at a launch. A launch uses far fewer, so sequences of two launches hardly
    /// ever mix. Either all new ones are higher than the lost ones, or the server reports one that this outbox never
    /// gave.
    static let widestGap = 1_000_000

    private(set) var entries: [DeviceChange] = []
    /// The highest sequence in this epoch.
    private(set) var lastSequence = 0

    init() {}

    /// Restores a stored outbox.
    init(entries: [DeviceChange], lastSequence: Int) {
        self.entries = entries
        self.lastSequence = max(lastSequence, entries.last?.sequence ?? 0)
    }

    /// Adds a change and removes those that it replaces. It always gets a new sequence, because the replaced change may
    /// already be on its way.
    ///
    /// - Returns: how many entries were dropped to keep the limit.
    mutating func append(_ told: DeviceChange.Action) -> Int {
        guard !entries.contains(where: { $0.action.covers(told) }) else { return 0 }
        if case .cardSeen(let card) = told { list(card) }
        // A card that is reported again keeps its waiting token.
        let action = entries.lazy.compactMap { told.with(tokenOf: $0.action) }.first ?? told
        entries.removeAll { action.replaces($0.action) }
        lastSequence += 1
        entries.append(DeviceChange(sequence: lastSequence, action: action))
        mergeNeighbours()
        return trim()
    }

    /// Adds a card to a waiting list of running cards. The list may be old when the server reads it, and a card that it
    /// omits counts as gone.
    private mutating func list(_ card: Card) {
        for index in entries.indices {
            guard case .running(card.type, var instances) = entries[index].action, !instances.contains(card.instance),
                instances.count < DeviceLimits.cardsPerReport
            else { continue }
            instances.append(card.instance)
            entries[index].action = .running(type: card.type, instances: instances)
        }
    }

    /// Removes the changes that the server has applied and returns them.
    mutating func confirm(through sequence: Int) -> [DeviceChange] {
        let count = entries.prefix { $0.sequence <= sequence }.count
        defer { entries.removeFirst(count) }
        return Array(entries[..<count])
    }

    /// Removes one change that the server will never accept.
    mutating func drop(sequence: Int) { entries.removeAll { $0.sequence == sequence } }

    /// Removes the waiting start token of a type.
    mutating func forgetStartToken(of type: String) {
        entries.removeAll { if case .setStartToken(type, _) = $0.action { true } else { false } }
    }

    /// Numbers all changes anew, for a new epoch.
    mutating func renumber() {
        for index in entries.indices { entries[index].sequence = index + 1 }
        lastSequence = entries.count
    }

    /// Skips a random number of sequences. A launch with an end that never reached the disk has used some, and the
    /// server would ignore a change with one of those.
    mutating func leaveGap() { lastSequence += Int.random(in: 1...Self.widestGap) }

    /// Returns the oldest changes, in the form in which they are sent now.
    func batch(limit: Int) -> [DeviceChange] { Array(entries.prefix(limit)) }

    /// Merges logins that are neighbours. Only the last one counts.
    private mutating func mergeNeighbours() {
        var kept: [DeviceChange] = []
        for entry in entries {
            while let last = kept.last, entry.action.replacesNeighbour(last.action) { kept.removeLast() }
            kept.append(entry)
        }
        entries = kept
    }

    /// Keeps the limit. Drops in this order: the oldest reports on content, the changes of ended cards, the changes of
    /// the card reported longest ago. The last step needs more cards than a phone can show, because no report says that
    /// they are gone. The rest is bounded: a token for each running card and each type, and logins between them.
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

    /// The first card that ended and was not reported again.
    private var firstFinished: String? {
        entries.indices.lazy.compactMap { index in
            guard let over = entries[index].action.finishedInstance else { return nil }
            let isTakenUp = entries[(index + 1)...].contains { $0.action.isSighting(of: over) }
            return isTakenUp ? nil : over
        }.first
    }

    /// The card that was reported longest ago, if there are too many for all of them to run.
    private var forgottenCard: String? {
        var recent: Set<String> = []
        var oldest: String?
        for card in entries.reversed().compactMap(\.action.card) where recent.insert(card.instance).inserted {
            oldest = card.instance
        }
        return recent.count > DeviceLimits.cardsPerReport ? oldest : nil
    }
}
