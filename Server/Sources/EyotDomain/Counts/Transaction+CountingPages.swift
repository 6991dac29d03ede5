/// The counting of many cards of one page at once. It costs one statement, however many cards there are.
extension Transaction {
    /// Counts cards of a page, in all and by each property of their phones.
    package func count(
        _ counter: KeptCounter, _ cards: RingSlots, onPage page: Int, in counts: ActivityCounts
    ) throws {
        let ordinals = cards.ordinals(onPage: page)
        guard let first = ordinals.first, let last = ordinals.last else { return }
        ledger.count(counter, times: ordinals.count, in: counts)
        let phones = try ledger.phones(of: first...last, of: counts.activity)
        var numbers: [CountedPhone: Int] = [:]
        for ordinal in ordinals {
            if let phone = phones[ordinal] { numbers[phone, default: 0] += 1 }
        }
        for (phone, number) in numbers { ledger.count(counter, by: phone, times: number, in: counts) }
    }

    /// Counts the cards for which Apple has accepted an update and had accepted none before.
    ///
    /// The store keeps the ordinals of such cards by page. Once all cards of a page have had an update, a further one
    /// costs one read of a few bytes, and writes nothing.
    package func countUpdated(_ rows: [Acceptances], in counts: ActivityCounts) throws {
        var pages: [Int: RingSlots] = [:]
        for row in rows where row.content.event == .update {
            pages[row.page, default: RingSlots()].formUnion(row.slots)
        }
        for (page, accepted) in pages.sorted(by: { $0.key < $1.key }) {
            var known = try ledger.updatedCards(onPage: page, of: counts.activity)
            let new = accepted.subtracting(known)
            guard !new.isEmpty else { continue }
            try count(.updated, new, onPage: page, in: counts)
            known.formUnion(new)
            try ledger.put(updatedCards: known, onPage: page, of: counts.activity)
        }
    }
}
