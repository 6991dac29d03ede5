import EyotContract
import EyotDomain

/// The ring, in the simplest form: each read applies the credit to all replicas.
extension MemoryLedger {
    func joining(_ replica: Replica) -> Int {
        guard replica.isInRing else { return 0 }
        return 1 + (ringPages[replica.activity]?[RingPage.number(of: replica.ordinal)]?.taken ?? 0)
    }

    /// Returns the wanted replicas of the activity with their pages' credit.
    ///
    /// - Parameter isWanted: Asks for nothing that credit changes.
    func credited(_ activity: ActivityID, where isWanted: (Replica) -> Bool) -> [Replica] {
        let own = replicas[activity] ?? []
        return own.indices.filter { isWanted(own[$0]) }.map { credited(own[$0], at: $0) }
    }

    /// Returns a replica with its page's credit.
    ///
    /// - Parameter index: Where it lies in the array of its activity.
    func credited(_ replica: Replica, at index: Int) -> Replica {
        guard let page = ringPages[replica.activity]?[RingPage.number(of: replica.ordinal)],
            let joined = joined[replica.activity]?[index]
        else { return replica }
        var credited = replica
        credited.take(page.credit, isMember: page.counts(forJoined: joined))
        return credited
    }

    /// Returns where a replica lies in the array of its activity. Without gaps that follows from its ordinal.
    func place(of ordinal: Int, in activity: ActivityID) -> Int? {
        guard let own = replicas[activity] else { return nil }
        if own.indices.contains(ordinal - 1), own[ordinal - 1].ordinal == ordinal { return ordinal - 1 }
        return own.firstIndex { $0.ordinal == ordinal }
    }

    package func ringPage(_ number: Int, of activity: ActivityID) -> RingPage? { ringPages[activity]?[number] }

    package func put(_ page: RingPage) { ringPages[page.activity, default: [:]][page.number] = page }

    package func lastRingPage(of activity: ActivityID) -> Int? { ringPages[activity]?.keys.max() }

    package func leaveUnseen(_ page: RingPage) {
        ringPages[page.activity]?[page.number]?.taken = page.taken
        ringPages[page.activity]?[page.number]?.seen = RingPage.unseen
    }

    package func ringPages(of activity: ActivityID, notSeen version: Int, after number: Int, limit: Int) -> [Int] {
        let pages = (ringPages[activity] ?? [:]).values.filter { $0.seen < version && $0.number > number }
        return Array(pages.map(\.number).sorted().prefix(limit))
    }

    package func ringPagesBehind(of activity: ActivityID, newest version: Int, limit: Int) -> [Int] {
        let pages = (ringPages[activity] ?? [:]).values
            .filter { $0.seen < version || $0.hasWaitingReplicas || $0.hasSkipped }
        return Array(pages.map(\.number).sorted().prefix(limit))
    }

    package func wakeRingPages(of activity: ActivityID, at now: Instant) {
        for (number, page) in ringPages[activity] ?? [:] where page.lookAt.map({ $0 <= now }) == true {
            ringPages[activity]?[number]?.seen = RingPage.unseen
            ringPages[activity]?[number]?.lookAt = nil
            ringPages[activity]?[number]?.hasWaitingReplicas = false
            ringPages[activity]?[number]?.hasSkipped = false
        }
    }

    package func changeRingPages(of activity: ActivityID, upTo number: Int) {
        for other in (ringPages[activity] ?? [:]).keys where other <= number { changePage(other, of: activity) }
    }

    package func ringOwes(of activity: ActivityID, from version: Int) -> Bool {
        (ringPages[activity] ?? [:]).values.contains { $0.hasWaitingReplicas && $0.seen >= version }
    }

    package func ringHasSkipped(of activity: ActivityID) -> Bool {
        (ringPages[activity] ?? [:]).values.contains(where: \.hasSkipped)
    }

    package func recallRingPages(of activity: ActivityID) {
        for (number, page) in ringPages[activity] ?? [:] where page.hasSkipped {
            var recalled = page
            (recalled.seen, recalled.lookAt) = (RingPage.unseen, nil)
            (recalled.hasWaitingReplicas, recalled.hasSkipped) = (false, false)
            ringPages[activity]?[number] = recalled
        }
    }

    package func nextRingLook(of activity: ActivityID, from version: Int) -> Instant? {
        (ringPages[activity] ?? [:]).values.filter { $0.seen >= version }.compactMap(\.lookAt).min()
    }

    func change(_ replica: Replica) {
        changePage(RingPage.number(of: replica.ordinal), of: replica.activity)
    }

    private func changePage(_ number: Int, of activity: ActivityID) {
        ringPages[activity]?[number]?.changes += 1
        ringPages[activity]?[number]?.seen = RingPage.unseen
        ringPages[activity]?[number]?.hasWaitingReplicas = false
        ringPages[activity]?[number]?.hasSkipped = false
    }

    private func page(_ number: Int, of activity: ActivityID) -> [(replica: Replica, joined: Int)] {
        zip(replicas[activity] ?? [], joined[activity] ?? [])
            .filter { RingPage.number(of: $0.0.ordinal) == number }.map { ($0.0, $0.1) }
    }

    package func ringMembers(onPage number: Int, of activity: ActivityID) -> RingMembers {
        var members = RingMembers()
        for (replica, joined) in page(number, of: activity) where joined > 0 {
            guard let token = replica.token, let expiresAt = replica.expiresAt else { continue }
            let member = RingMembers.Member(
                ordinal: replica.ordinal, joined: joined, accepted: replica.acceptedVersion,
                alerted: replica.alertedVersion,
                scoped: replica.scopedState, scopedAlert: replica.scopedAlert, lastSecond: replica.lastSecond,
                tokenVersion: token.version, environment: token.environment,
                tokenSetAt: token.setAt, expiresAt: expiresAt)
            token.token.bytes.withUnsafeBytes { members.append(member, token: $0) }
        }
        return members
    }

    package func exceptions(onPage number: Int, of activity: ActivityID) -> [Replica] {
        let (own, joined) = (replicas[activity] ?? [], joined[activity] ?? [])
        return own.indices.filter { joined[$0] == 0 && RingPage.number(of: own[$0].ordinal) == number }
            .map { credited(own[$0], at: $0) }
            .filter { [.live, .waitingForToken, .starting, .untracked].contains($0.phase) }
    }

    package func devices(onPage number: Int, of activity: ActivityID) -> [Int: DeviceID] {
        let members = (replicas[activity] ?? []).filter { RingPage.number(of: $0.ordinal) == number }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.ordinal, $0.device) })
    }

    package func languages(onPage number: Int, of activity: ActivityID) -> [Int: String] {
        let members = (replicas[activity] ?? []).filter { RingPage.number(of: $0.ordinal) == number }
        let languages = members.compactMap { one in device(one.device)?.language.map { (one.ordinal, $0) } }
        return Dictionary(uniqueKeysWithValues: languages)
    }

    package func strangers(onPage page: RingPage) -> [Int] {
        self.page(page.number, of: page.activity).filter { $0.joined == 0 || $0.joined > page.taken }
            .map(\.replica.ordinal)
    }
}
