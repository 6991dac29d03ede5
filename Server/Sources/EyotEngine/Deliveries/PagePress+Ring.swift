import APNSWire
import EyotContract
import EyotDomain

extension PagePress {
    /// Groups of members on one page; whoever is in none of the first is looked at alone.
    private static let groupLimit = 8

    /// Looks at one page of the ring: at the exceptions one by one, and at the members together.
    ///
    /// - Parameters:
    ///   - limit: the most pushes that this press may add in all.
    ///   - few: fewer members than these are taken one by one.
    /// - Returns: whether the page is done; else there was no room for the rest.
    mutating func takeRingPage(_ number: Int, _ look: EngineCore.Look, limit: Int, few: Int) throws -> Bool {
        let onTheWay = look.ringPages[number]
        for replica in try ledger.exceptions(onPage: number, of: activity.id)
        where !look.inFlight.contains(replica.ordinal) && onTheWay?.contains(replica.ordinal) != true {
            guard count < limit else { return false }
            try take(replica)
        }
        var page = try ledger.ringPage(number, of: activity.id) ?? RingPage(activity: activity.id, number: number)
        let members = try ledger.ringMembers(onPage: number, of: activity.id)
        var sorting = try sort(members, on: page, look, onTheWay)
        if sorting.taken.count < few || onTheWay != nil {
            sorting.odd += sorting.taken
        } else {
            guard count + sorting.taken.count <= limit else { return false }
            page.taken += 1
            try ledger.put(page)
            // Whoever is on this page and not taken with it is none of its business: it counts from the next time on.
            for index in sorting.outside + sorting.odd { try renew(members.members[index].ordinal) }
            sorting.ring.time = page.taken
            try append(sorting.ring, of: members, sorting.taken, in: sorting.environment)
        }
        for index in sorting.odd {
            guard count < limit else { return false }
            if let replica = try ledger.replica(members.members[index].ordinal, of: activity.id) { try take(replica) }
        }
        return true
    }

    private func renew(_ ordinal: Int) throws {
        if let replica = try ledger.replica(ordinal, of: activity.id) { try ledger.update(replica) }
    }

    /// Who of a page's members goes with whom.
    private struct Sorting {
        /// Members that are taken together, by their index, and what they have in common.
        var taken: [Int] = []
        var ring: RingRun
        var environment = PushEnvironment.production
        /// Those that are looked at alone.
        var odd: [Int] = []
        /// Those that are due and cannot be taken now.
        var outside: [Int] = []
    }

    private mutating func sort(
        _ members: RingMembers, on page: RingPage, _ look: EngineCore.Look, _ onTheWay: RingSlots?
    ) throws -> Sorting {
        var sorting = Sorting(ring: RingRun(page: page.number, time: 0, groups: []))
        var groups: [(accepted: Int, alerted: Int, push: Push?, place: UInt8)] = []
        for (index, own) in members.members.enumerated() {
            // Who came while the page is on its way does not wait for it.
            if let onTheWay, own.joined <= page.taken || onTheWay.contains(own.ordinal) { continue }
            guard let member = own.credited(by: page) else { continue }
            guard !look.inFlight.contains(member.ordinal) else {
                sorting.outside.append(index)
                continue
            }
            guard member.expiresAt > now else {
                sorting.odd.append(index)
                continue
            }
            wait(until: member.expiresAt)
            let place: Int
            if let known = groups.firstIndex(where: { ($0.accepted, $0.alerted) == (member.accepted, member.alerted) })
            {
                place = known
            } else if groups.count < Self.groupLimit {
                place = groups.count
                let push = try due(forMembersThatAre: member)
                groups.append((member.accepted, member.alerted, push, UInt8(sorting.ring.groups.count)))
                if let push {
                    sorting.ring.groups.append(
                        .init(accepted: member.accepted, alerted: member.alerted, push: push))
                }
            } else {
                sorting.odd.append(index)
                continue
            }
            guard groups[place].push != nil else { continue }
            guard now.second > member.lastSecond else {
                wait(until: Instant(second: member.lastSecond + 1))
                sorting.outside.append(index)
                continue
            }
            if sorting.taken.isEmpty { sorting.environment = member.environment }
            guard member.environment == sorting.environment else {
                sorting.odd.append(index)
                continue
            }
            sorting.taken.append(index)
            sorting.ring.groupOf.append(groups[place].place)
            sorting.ring.tokenSetAt.append(member.tokenSetAt)
        }
        return sorting
    }

    /// What is due for every member that is as far as this one.
    private func due(forMembersThatAre member: RingMembers.Member) throws -> Push? {
        let one = Replica(
            memberOf: activity.id, accepted: member.accepted, alerted: member.alerted, environment: member.environment)
        let due = try one.due(
            in: activity, at: now, startToken: { nil }, osVersion: { .remoteStart },
            declaration: declaration.callAsFunction)
        guard case .push(let push) = due else { return nil }
        return push
    }
}
