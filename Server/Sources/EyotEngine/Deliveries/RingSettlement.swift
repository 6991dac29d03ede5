import APNSWire
import EyotContract
import EyotDomain

/// The credit of a ring page: what Apple's acceptances have brought its members.
struct RingSettlement {
    /// The outcome for members that were equally far.
    struct Group {
        /// A replica that stands for the members, after settling.
        var replica: Replica
        var push: Push
        /// The counts for one member.
        var tally: Tally
        /// How long a member had been behind, in seconds; nil if it was not.
        var age: Double?
        var count = 0
        /// The members.
        var slots = RingSlots()
    }

    struct Outcome {
        /// The page with its new credit; nil if nothing is credited.
        var page: RingPage?
        var groups: [Group]
        /// Slots that are settled one by one, before the page is stored.
        var odd: [Int] = []
    }

    let ledger: any Ledger
    let activity: Activity
    let now: Instant
    let declaration: DeclarationReader

    func callAsFunction(_ ring: RingRun, _ sent: ArraySlice<SentPush>, _ verdicts: PageVerdicts) throws -> Outcome {
        guard let page = try ledger.ringPage(ring.page, of: activity.id), page.taken == ring.time,
            page.settled < ring.time
        else { return Outcome(page: nil, groups: [], odd: Array(sent.indices)) }
        var outcome = Outcome(page: nil, groups: try ring.groups.map { try settled($0, onPage: page.number) })
        let strangers = try strangers(on: page, since: ring)
        for (index, slot) in sent.indices.enumerated() {
            let group = Int(ring.groupOf[index])
            // A token that was set after the oldest missed state has not missed all of them.
            let isAlike = outcome.groups[group].age.map { ring.tokenSetAt[index] <= now - $0 } ?? true
            if verdicts.verdicts[slot] == .accepted, isAlike, !strangers.contains(sent[slot].ordinal) {
                outcome.groups[group].count += 1
                outcome.groups[group].slots.insert(sent[slot].ordinal)
            } else {
                outcome.odd.append(slot)
            }
        }
        guard let one = outcome.groups.first(where: { $0.count > 0 })?.replica else { return outcome }
        var credited = page
        credited.settled = ring.time
        credited.credit.accepted = one.phase == .ended ? one.acceptedVersion : ring.everyone
        // Members that were not taken this time keep their alert. It may be newer than the alert of this take.
        credited.credit.alerted = outcome.groups.map(\.replica.alertedVersion).reduce(page.credit.alerted, max)
        let second = max(page.secondToFollow(at: now), now.second, verdicts.stampedUpTo)
        credited.credit.lastSecond = second
        if credited.credit.accepted > page.credit.accepted || ring.groups.contains(where: \.push.isSpaced) {
            credited.credit.spacedSecond = second
        }
        credited.credit.isEnd = one.phase == .ended
        // A lap for a newer version may have passed the page meanwhile, and would not return to it.
        if let seeing = ring.seeing, seeing.changes == page.changes, seeing.version >= activity.laps.begun,
            outcome.odd.isEmpty, ring.open.isEmpty
        {
            (credited.seen, credited.lookAt, credited.hasWaitingReplicas) = (
                seeing.version, seeing.until, seeing.hasWaitingReplicas
            )
            credited.hasSkipped = false
        }
        outcome.page = credited
        return outcome
    }

    /// Ordinals that get no credit although Apple accepted their push. If the page has not changed since it was taken,
    /// all taken replicas are still members.
    private func strangers(on page: RingPage, since ring: RingRun) throws -> RingSlots {
        var strangers = RingSlots()
        if ring.seeing?.changes == page.changes { return strangers }
        for ordinal in try ledger.strangers(onPage: page) { strangers.insert(ordinal) }
        return strangers
    }

    /// Applies acceptance to one member of a group, by the rules for a single replica.
    private func settled(_ group: RingRun.Group, onPage number: Int) throws -> Group {
        var one = Replica(
            memberOf: activity.id, ordinal: RingPage.first(onPage: number), at: group.stand, environment: .production)
        let push = SentPush(ordinal: one.ordinal, push: group.push, tokenVersion: 1, environment: .production)
        var tally = Tally()
        let settlement = try one.settle(
            push, PushAnswer(.accepted, at: now), tally: &tally, declaration: declaration.callAsFunction)
        return Group(replica: one, push: group.push, tally: tally, age: settlement.age)
    }
}
