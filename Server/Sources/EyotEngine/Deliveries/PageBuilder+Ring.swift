import APNSWire
import EyotContract
import EyotDomain

extension PageBuilder {
    /// How many kinds of members with something due a page has at most. Members of further kinds are looked at alone.
    private static let groupLimit = 64

    /// Looks at one page of the ring: at the exceptions one by one, and at the members together.
    ///
    /// - Parameters:
    ///   - limit: The most pushes that this builder may add in all.
    ///   - few: The least number of members that are taken as a page.
    /// - Returns: Nil if there was no room for all that is due. Otherwise how many replicas were read, at least one,
    ///   and whether the page is on its way already or was pushed to in this second.
    mutating func takeRingPage(
        _ number: Int, _ look: EngineCore.Look, limit: Int, few: Int
    ) throws -> (read: Int, isTooSoon: Bool)? {
        // The page keeps its own waits. Those of other pages are added again at the end.
        let elsewhere = (later: later, hasWaitingReplicas: hasWaitingReplicas)
        (later, hasWaitingReplicas, hasSkipped) = (nil, false, false)
        defer {
            (later, hasWaitingReplicas) = (
                Instant.soonest(later, elsewhere.later), hasWaitingReplicas || elsewhere.hasWaitingReplicas
            )
        }
        let onTheWay = look.ringPages[number]
        guard let exceptions = try takeExceptions(onPage: number, look, limit: limit),
            var page = try ledger.ringPage(number, of: activity.id)
        else { return nil }
        let last = page.secondToFollow(at: now)
        guard last < now.second else {
            holdBack(until: Instant(second: last + 1))
            noteClockWait(of: page)
            try leaveUnseen(page)
            return (max(1, exceptions.read), isTooSoon: true)
        }
        let members = try ledger.ringMembers(onPage: number, of: activity.id)
        var sorting = try sort(members, on: page, look, onTheWay)
        let goesAsWhole =
            sorting.taken.count >= few && onTheWay == nil && !isDivided(page.ordinals, among: sorting.ring.groups)
        if !goesAsWhole { sorting.odd += sorting.taken }
        let seesAll = !exceptions.wait && onTheWay == nil && sorting.odd.isEmpty && !sorting.waitsForVerdicts
        if goesAsWhole {
            guard count + sorting.taken.count <= limit else { return nil }
            page.taken += 1
            try ledger.leaveUnseen(page)
            // A member that is not taken must not get this credit. It counts from the next take on.
            for index in sorting.outside + sorting.odd + sorting.held {
                try ledger.renew(members.members[index].ordinal, of: activity.id)
            }
            sorting.ring.time = page.taken
            // Members that a pause skips are noted when all others are up to date.
            if seesAll, sorting.outside.isEmpty, !hasSkipped {
                sorting.ring.seeing = RingRun.Seeing(
                    version: activity.newestCommon, changes: page.changes, until: later,
                    hasWaitingReplicas: hasWaitingReplicas)
            }
            try append(
                sorting.ring, of: members, sorting.taken, unproven: sorting.unproven, in: sorting.environment)
        } else if seesAll {
            (page.seen, page.lookAt, page.hasWaitingReplicas, page.hasSkipped) = (
                activity.newestCommon, later, hasWaitingReplicas, hasSkipped
            )
            try ledger.put(page)
        } else {
            try leaveUnseen(page)
        }
        for index in sorting.odd {
            guard count < limit else { return nil }
            if let replica = try ledger.replica(members.members[index].ordinal, of: activity.id) { try take(replica) }
        }
        return (max(1, exceptions.read + members.members.count), isTooSoon: onTheWay != nil)
    }

    private mutating func noteClockWait(of page: RingPage) {
        guard let moment = page.clockWait(at: now) else { return }
        clockWait = Instant.latest(clockWait, moment)
        if RingPage.number(of: firstOrdinalOfNewCards) == page.number {
            firstOrdinalOfNewCards = RingPage.first(onPage: page.number + 1)
        }
    }

    /// Makes a page unseen, if it is not yet.
    private func leaveUnseen(_ page: RingPage) throws {
        if page.seen != RingPage.unseen { try ledger.leaveUnseen(page) }
    }

    /// Whether a canary divides a page's members, so that one credit cannot hold for all. The share may end on the
    /// page. Or some members had an alert that is newer than the common one that all get when the canary proceeds.
    private func isDivided(_ ordinals: ClosedRange<Int>, among groups: [RingRun.Group]) -> Bool {
        guard let canary = activity.openCanary, !canary.contains(ordinals.upperBound) else { return false }
        let alert = canary.common.alert
        return canary.divides(ordinals)
            || alert >= canary.oldest && groups.contains { max($0.stand.alerted, $0.push.alertVersion) >= alert }
    }

    /// Looks at the exceptions of a page one by one.
    ///
    /// - Returns: How many exceptions there are, and whether one of them waits for a verdict; nil if there was no room
    ///   for all.
    private mutating func takeExceptions(
        onPage number: Int, _ look: EngineCore.Look, limit: Int
    ) throws -> (read: Int, wait: Bool)? {
        var isWaiting = false
        let exceptions = try ledger.exceptions(onPage: number, of: activity.id)
        for replica in exceptions {
            if look.inFlight.contains(replica.ordinal) || look.ringPages[number]?.contains(replica.ordinal) == true {
                isWaiting = true
                continue
            }
            guard count < limit else { return nil }
            if try take(replica) { isWaiting = true }
        }
        return (exceptions.count, isWaiting)
    }

    /// The members of a page, sorted by how they are taken.
    private struct Sorting {
        /// The indices of members that are taken together, and what they have in common.
        var taken: [Int] = []
        /// How many of these Apple has not accepted anything for yet.
        var unproven = 0
        var ring: RingRun
        var environment = PushEnvironment.production
        /// Members that are looked at alone.
        var odd: [Int] = []
        /// Members that cannot be taken now: they must wait, are pending, or have a push of their own in flight.
        var outside: [Int] = []
        /// Members that are due while the app is paused in their environment.
        var held: [Int] = []
        var isDue: [Place: Bool] = [:]
        /// Whether a member has a push of its own in flight, or is still pending on a member list.
        var waitsForVerdicts = false
        /// The kinds of members met so far, and the last one of them.
        var kinds: [Place: Kind] = [:]
        var last: (place: Place, kind: Kind)?
        var spoken: SpokenLanguages

        /// Reserves room for the members that are taken.
        mutating func reserveCapacity(_ count: Int) {
            taken.reserveCapacity(count)
            ring.groupOf.reserveCapacity(count)
            ring.tokenSetAt.reserveCapacity(count)
        }
    }

    /// The properties in which alike members agree.
    private struct Place: Hashable {
        var stand: RingStand
        /// Whether they belong to the share of an open canary.
        var hasCanary: Bool
        /// The language of the alert that is due to them; nil if there is only one text.
        var localization: String?
    }

    /// How alike members are taken.
    private enum Kind {
        case notDue
        /// As this group of the ring.
        case group(UInt8)
        /// Alone, because the page has too many groups already.
        case odd
    }

    private mutating func sort(
        _ members: RingMembers, on page: RingPage, _ look: EngineCore.Look, _ onTheWay: RingSlots?
    ) throws -> Sorting {
        var sorting = Sorting(
            ring: RingRun(
                page: page.number, time: 0,
                everyone: activity.common(for: RingPage.first(onPage: page.number)).state, groups: []),
            spoken: SpokenLanguages(page: page.number))
        sorting.reserveCapacity(members.members.count)
        // A page goes to one environment: the one that most of its members belong to.
        let inSandbox = members.members.count { $0.environment == .sandbox }
        sorting.environment = 2 * inSandbox > members.members.count ? .sandbox : .production
        for (index, own) in members.members.enumerated() {
            // A member that joined while the page is on its way does not wait for it.
            if let onTheWay, own.joined <= page.taken || onTheWay.contains(own.ordinal) { continue }
            guard let member = own.credited(by: page) else { continue }
            let isPending = try pending.contains(member.ordinal)
            if isPending || look.inFlight.contains(member.ordinal) {
                // Only this says that a pending member is behind.
                hasWaitingReplicas = hasWaitingReplicas || isPending
                sorting.outside.append(index)
                sorting.waitsForVerdicts = true
            } else if member.expiresAt <= now {
                sorting.odd.append(index)
            } else {
                wait(until: member.expiresAt)
                try place(index, member, in: &sorting)
            }
        }
        return sorting
    }

    private mutating func place(_ index: Int, _ member: RingMembers.Member, in sorting: inout Sorting) throws {
        guard app.isSending(in: member.environment) else { return try hold(index, member, in: &sorting) }
        let group: UInt8
        switch try kind(of: member, in: &sorting) {
        case .notDue: return
        case .odd: return sorting.odd.append(index)
        case .group(let known): group = known
        }
        let first = sorting.ring.groups[Int(group)].push
            .firstSecond(after: member.secondToFollow(at: now), spacing: profile.spacing)
        guard now.second >= first else {
            holdBack(until: Instant(second: first))
            clockWait = Instant.latest(clockWait, member.clockWait(at: now))
            return sorting.outside.append(index)
        }
        guard member.environment == sorting.environment else { return sorting.odd.append(index) }
        if member.stand.isUnproven {
            guard hasLaneRoom(for: member.ordinal, in: member.environment, beside: sorting.unproven) else {
                holdBack(until: nextPlace(for: member.ordinal, in: member.environment))
                return sorting.outside.append(index)
            }
            sorting.unproven += 1
        }
        sorting.taken.append(index)
        sorting.ring.groupOf.append(group)
        sorting.ring.tokenSetAt.append(member.tokenSetAt)
    }

    /// Notes a member that is behind while the app is paused in its environment.
    private mutating func hold(_ index: Int, _ member: RingMembers.Member, in sorting: inout Sorting) throws {
        let place = Place(
            stand: member.stand, hasCanary: hasOpenCanary && activity.isInShare(member.ordinal), localization: nil)
        let isDue = try sorting.isDue[place] ?? (due(forMembersLike: member, speaking: nil) != nil)
        sorting.isDue[place] = isDue
        guard isDue else { return }
        skip(in: member.environment)
        sorting.held.append(index)
    }

    private func kind(of member: RingMembers.Member, in sorting: inout Sorting) throws -> Kind {
        let place = Place(
            stand: member.stand, hasCanary: hasOpenCanary && activity.isInShare(member.ordinal),
            localization: try sorting.spoken.localization(
                for: member, of: activity, ledger: ledger, declaration: declaration))
        // Most members of a page are alike.
        if let last = sorting.last, last.place == place { return last.kind }
        let kind = try sorting.kinds[place] ?? newKind(of: member, speaking: place.localization, in: &sorting)
        sorting.kinds[place] = kind
        sorting.last = (place, kind)
        return kind
    }

    private func newKind(
        of member: RingMembers.Member, speaking language: String?, in sorting: inout Sorting
    ) throws -> Kind {
        guard let push = try due(forMembersLike: member, speaking: language) else { return .notDue }
        guard sorting.ring.groups.count < Self.groupLimit else { return .odd }
        sorting.ring.groups.append(.init(stand: member.stand, push: push))
        return .group(UInt8(sorting.ring.groups.count - 1))
    }

    /// The push for every member with this stand and this part in an open canary; nil if none is due.
    private func due(forMembersLike member: RingMembers.Member, speaking language: String?) throws -> Push? {
        let one = Replica(
            memberOf: activity.id, ordinal: member.ordinal, at: member.stand, environment: member.environment)
        let due = try one.due(
            in: activity, at: now, profile: profile, phone: PhoneLookup(language: { language }),
            declaration: declaration.callAsFunction)
        guard case .push(let push) = due else { return nil }
        return push
    }
}

extension Ledger {
    /// Writes a replica with its page's credit in it. The page's credit counts for the replica again from the next take
    /// on.
    func renew(_ ordinal: Int, of activity: ActivityID) throws {
        if let replica = try replica(ordinal, of: activity) { try update(replica) }
    }
}
