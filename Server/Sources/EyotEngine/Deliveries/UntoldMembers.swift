import EyotDomain

/// Replicas that are on a list of a scope's members: what they are to show is known when they are told. Until then nothing is
/// sent to them, since it would be older than what was declared (R2).
struct UntoldMembers {
    private let ledger: any Ledger
    private let lists: [MemberList]
    /// By the numbers of the ring's pages, those that were asked for.
    private var pages: [Int: RingSlots] = [:]

    init(_ ledger: any Ledger, of activity: Activity) throws {
        self.ledger = ledger
        lists = activity.untoldScopes > 0 ? try ledger.scopeLists(of: activity.id, limit: activity.untoldScopes) : []
    }

    mutating func contains(_ ordinal: Int) throws -> Bool {
        guard !lists.isEmpty else { return false }
        let number = RingPage.number(of: ordinal)
        if let known = pages[number] { return known.contains(ordinal) }
        let slots = try slots(onPage: RingPage(activity: lists[0].activity, number: number))
        pages[number] = slots
        return slots.contains(ordinal)
    }

    private func slots(onPage page: RingPage) throws -> RingSlots {
        var slots = RingSlots()
        for var list in lists {
            list.told = max(list.told, Int64(page.ordinals.lowerBound - 1))
            // A chunk of the list may end within the page.
            while list.told < page.ordinals.upperBound {
                let members = try ledger.untold(of: list, limit: RingPage.capacity)
                guard let last = members.last else { break }
                for member in members where member <= page.ordinals.upperBound { slots.insert(Int(member)) }
                list.told = last
            }
        }
        return slots
    }
}
