/// Replicas that are on a list of a scope's members, or whose devices are: what they are to show is known when they are told. Until
/// then nothing is sent to them, since it would be older than what was declared (R2).
package struct PendingMembers {
    private let ledger: any Ledger
    private let lists: [MemberList]
    /// By the numbers of the ring's pages, those that were asked for.
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

    /// Places that were kept since for devices on the list.
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
