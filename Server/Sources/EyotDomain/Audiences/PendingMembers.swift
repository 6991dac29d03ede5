/// The replicas of an activity that are pending on a scope's list, by themselves or through their devices. Their state
/// is known when they are processed. Until then nothing is sent to them, because it would be older than what was
/// declared (R2).
package struct PendingMembers {
    private let ledger: any Ledger
    private let lists: [MemberList]
    /// The pending replicas of each page of the ring that was asked for.
    private var pages: [Int: RingSlots] = [:]

    package init(_ ledger: any Ledger, of activity: Activity) throws {
        self.ledger = ledger
        guard activity.pendingScopes > 0 else {
            lists = []
            return
        }
        lists = try ledger.memberLists(of: activity.id, limit: MemberList.listsPerApp).filter { !$0.isStart }
    }

    package mutating func contains(_ ordinal: Int) throws -> Bool {
        guard !lists.isEmpty else { return false }
        let number = RingPage.number(of: ordinal)
        if let known = pages[number] { return known.contains(ordinal) }
        let slots = try slots(onPage: RingPage(activity: lists[0].activity, number: number))
        pages[number] = slots
        return slots.contains(ordinal)
    }

    private func slots(onPage page: RingPage) throws -> RingSlots {
        var slots = RingSlots()
        for list in lists {
            if case .pendingStarts(let first) = list.purpose {
                try insert(comersOf: list, from: first, onPage: page, into: &slots)
            } else {
                try insert(membersOf: list, onPage: page, into: &slots)
            }
        }
        return slots
    }

    private func insert(membersOf former: MemberList, onPage page: RingPage, into slots: inout RingSlots) throws {
        var list = former
        list.processed = max(list.processed, Int64(page.ordinals.lowerBound - 1))
        // A chunk of the list may end within the page.
        while list.processed < page.ordinals.upperBound {
            let members = try ledger.pending(of: list, limit: RingPage.capacity)
            guard let last = members.last else { break }
            for member in members where member <= page.ordinals.upperBound { slots.insert(Int(member)) }
            list.processed = last
        }
    }

    /// Inserts the places that were reserved for devices of the list after the scope was frozen.
    private func insert(
        comersOf list: MemberList, from first: Int, onPage page: RingPage, into slots: inout RingSlots
    ) throws {
        guard page.ordinals.upperBound >= first else { return }
        var reader = PendingReader(ledger, of: list)
        let places = try ledger.devices(onPage: page.number, of: page.activity).filter { $0.key >= first }
        for (ordinal, device) in places.sorted(by: { $0.value.rawValue < $1.value.rawValue })
        where try reader.contains(device.rawValue) {
            slots.insert(ordinal)
        }
    }
}
