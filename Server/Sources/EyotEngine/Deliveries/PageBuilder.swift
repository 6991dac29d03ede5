import APNSWire
import EyotContract
import EyotDomain

/// The builder that adds what is due of one activity to pages. A page has one app, environment and shard, and equal
/// pushes share a template.
struct PageBuilder {
    let ledger: any Ledger
    let app: App
    let activity: Activity
    let profile: TypeProfile
    let now: Instant
    /// The shard of the activity.
    private let shard: Int
    /// Until when starts of the shard may have left without a record; nil if none is in doubt.
    private let doubts: Instant?
    /// The least number of a page's members that are settled together. Fewer are settled one by one.
    static let few = 16

    private var pages: [TakenPage]
    /// How many pushes it has added.
    private(set) var count = 0
    /// The soonest moment at which something becomes due; nil for none.
    var later: Instant?
    /// Whether a replica is behind and must wait.
    var hasWaitingReplicas = false
    /// Environments in which the app is paused and a replica is behind.
    private(set) var skippedEnvironments: Set<PushEnvironment> = []
    /// When the last of the replicas that wait for a second ahead of the clock may be pushed (R7); nil if none was met.
    var clockWait: Instant?
    /// The ordinal of the next card. If the last page waits for the clock, this moves to a page of its own. Cards that
    /// come later need not wait.
    var firstOrdinalOfNewCards: Int
    /// Whether a replica that a pause skips has been met since this was reset.
    var hasSkipped = false
    /// Replicas with a start that can lead to no card any more, before and after that was noted.
    private(set) var lost: [(former: Replica, now: Replica)] = []
    /// Replicas with a lost channel in place of which new cards are to be started.
    private(set) var cutOff: [Replica] = []
    /// How many replicas were found with a channel that is lost.
    private var left = 0
    /// How many planned starts were found that may have left.
    private(set) var doubted = 0
    private var templates: [Key: Rendered] = [:]
    /// The activity's channels; nil until they have been read.
    private var channels: [Channel]?
    private var noted: Set<PushEnvironment> = []
    let declaration: DeclarationReader
    var pending: PendingMembers
    /// Whether a canary is open. It is asked once, and not for each member.
    let hasOpenCanary: Bool
    /// The room for pushes to tokens that Apple has not accepted yet.
    var probation: ProbationLanes
    /// How many pushes wait for that room.
    var waitingForLane = 0
    /// The blocks that wait for it and are next.
    var waitingBlocks: [Trial: WaitingBlocks] = [:]

    private struct Key: Hashable {
        var page: Int
        var push: Push
    }

    private struct Rendered {
        /// The index of the template on its page.
        var index: UInt16
        /// Whether a card that the push starts follows the channel.
        var isFollowing: Bool
        /// The push as it leaves.
        var push: Push
    }

    init(
        ledger: any Ledger, app: App, activity: Activity, profile: TypeProfile, now: Instant,
        holding held: HeldLeases, pages: [TakenPage], probation: ProbationLanes
    ) throws {
        self.ledger = ledger
        self.app = app
        self.activity = activity
        firstOrdinalOfNewCards = activity.nextOrdinal
        hasOpenCanary = activity.openCanary != nil
        self.profile = profile
        self.now = now
        shard = held.sharding.shard(of: activity.id)
        doubts = held.doubts(of: activity.id)
        self.pages = pages
        self.probation = probation
        declaration = DeclarationReader(ledger, of: activity.id, doubts: doubts)
        pending = try PendingMembers(ledger, of: activity)
    }

    /// Adds what is due for a replica, or notes until when it waits.
    ///
    /// - Returns: Whether the replica waits for more than time: for a verdict from now on, or because it is pending.
    @discardableResult
    mutating func take(_ former: Replica) throws -> Bool {
        // A pending replica is looked at again when it has been processed.
        if try pending.contains(former.ordinal) {
            hasWaitingReplicas = true
            return true
        }
        if former.hasStartInDoubt(until: doubts) {
            try doubt(former)
            return false
        }
        guard let replica = former.isFollowing ? try leavingLostChannel(former) : former else { return true }
        if replica.hasLostChannel { try restart(replica) }
        let before = count
        let type = activity.type ?? ""
        let startToken = try replica.phase == .starting ? ledger.startToken(of: replica.device, type: type) : nil
        let phone = PhoneLookup(
            startToken: { startToken },
            osVersion: { [ledger] in try ledger.device(replica.device)?.osVersion ?? .remoteStart },
            language: { [ledger] in try ledger.device(replica.device)?.language },
            hasLaterCard: { [ledger, app, activity] in
                try ledger.replicas(of: replica.device, named: activity.name, in: app.id)
                    .contains { $0.activity == activity.id && $0.instance != nil && $0.tookName(after: replica) }
            })
        let due = try replica.due(
            in: activity, at: now, profile: profile, phone: phone, declaration: declaration.callAsFunction)
        switch due {
        case .nothing(let until):
            if let until { wait(until: until) }
        case .expired:
            var expired = replica
            expired.expire(isHeardOf: try isHeardOf(replica))
            try transaction.update(expired, from: replica, in: app.id)
            if expired.hasLostStart { lost.append((replica, expired)) }
        case .later(let moment):
            holdBack(until: moment)
            clockWait = Instant.latest(clockWait, replica.clockWait(at: now))
        case .abandonStart(let failure):
            var abandoned = replica
            abandoned.abandonStart(failure)
            try transaction.update(abandoned, from: replica, in: app.id)
        case .push(let push):
            let environment = environment(of: push, to: replica, startToken)
            if let environment, !app.isSending(in: environment) {
                try skip(replica, in: environment, startToken)
            } else if let awaited = try awaitedChannel(push, startToken, replica) {
                holdBack(until: awaited)
            } else if push.event == .start, replica.isRestart,
                let moment = try ledger.moment(forRestart: replica, at: now)
            {
                wait(until: moment)
            } else if try waitsForLane(replica, for: push, in: environment) {
                break
            } else if push.event == .start {
                try takeStart(replica, push, startToken)
            } else {
                try takeUpdate(replica, push)
            }
        }
        return count > before
    }

    /// Whether the phone of a start has spoken since, later than a report from before the start may take. A card that
    /// appeared would have been among what it said.
    private func isHeardOf(_ replica: Replica) throws -> Bool {
        guard replica.phase == .starting, let sentAt = replica.lease?.sentAt,
            let seenAt = try ledger.device(replica.device)?.seenAt
        else { return false }
        return sentAt + RestartLost.longestReport < seenAt && seenAt <= now
    }

    /// The most followers of lost channels that one look finds, and for which it starts new cards, because all other
    /// writes wait for it.
    private static let cutOffAtOnce = 100
    /// Seconds until the look at further ones.
    private static let cutOffPause = 0.1

    /// Has a new card started in place of one that no push reaches, if that can be.
    private mutating func restart(_ replica: Replica) throws {
        guard try RestartFollower(transaction).isDue(replica, in: activity) else { return }
        guard cutOff.count < Self.cutOffAtOnce else { return holdBack(until: now + Self.cutOffPause) }
        cutOff.append(replica)
    }

    /// Records that Apple no longer has the channel that a card follows, if that is so.
    ///
    /// - Returns: The replica as it is then; nil if there was no room to record it.
    private mutating func leavingLostChannel(_ former: Replica) throws -> Replica? {
        let known = try channels ?? ledger.channels(of: activity.id)
        channels = known
        // Most channels are never lost, and the phone is not read for them.
        guard known.contains(where: { $0.edition > 1 }),
            let environment = try ledger.device(former.device)?.environment,
            let channel = known.first(where: { $0.environment == environment })
        else { return former }
        var replica = former
        guard replica.leave(channel) else { return former }
        guard left < Self.cutOffAtOnce else {
            holdBack(until: now + Self.cutOffPause)
            return nil
        }
        left += 1
        try transaction.update(replica, from: former, in: app.id)
        return replica
    }

    /// Leaves a start alone that may have left, until it can lead to no card any more.
    private mutating func doubt(_ former: Replica) throws {
        guard let doubts else { return }
        var replica = former
        replica.doubtStart(until: doubts)
        try transaction.update(replica, from: former, in: app.id)
        if former.lease?.state == .planned { doubted += 1 }
        if let end = replica.expiresAt { wait(until: end) }
    }

    /// Notes that something becomes due at a later moment.
    mutating func wait(until moment: Instant) { later = Instant.soonest(later, moment) }

    /// Notes that a replica is behind and must wait until a moment.
    mutating func holdBack(until moment: Instant) {
        hasWaitingReplicas = true
        wait(until: moment)
    }

    private var transaction: Transaction { Transaction(ledger, at: now) }

    private func environment(of push: Push, to replica: Replica, _ startToken: StartToken?) -> PushEnvironment? {
        guard push.event == .start else { return replica.token?.environment }
        return replica.lease?.probing == true ? startToken?.environment.other : startToken?.environment
    }

    /// Skips a replica that is due in an environment in which the app is paused. It is looked at again after the
    /// resume, or when it expires.
    private mutating func skip(
        _ former: Replica, in environment: PushEnvironment, _ startToken: StartToken?
    ) throws {
        guard former.token?.probing != true, former.lease?.probing != true else {
            return try abandonProbe(of: former, startToken)
        }
        skip(in: environment)
        if let end = former.expiresAt { wait(until: end) }
    }

    /// Notes that a pause skips a replica in this environment.
    mutating func skip(in environment: PushEnvironment) {
        skippedEnvironments.insert(environment)
        hasSkipped = true
    }

    /// Abandons a probe, which would find nothing out while the app is paused. After the resume all quarantined tokens
    /// are tried again.
    private func abandonProbe(of former: Replica, _ startToken: StartToken?) throws {
        var replica = former
        if former.phase == .starting {
            let death = replica.abandonStartProbe()
            // A start token that was set since then is not the refused one.
            if var token = startToken, token.setAt.second <= former.lastSecond {
                token.death = death
                try transaction.put(token, from: startToken, in: app.id)
            }
        } else {
            replica.abandonProbe()
        }
        try transaction.update(replica, from: former, in: app.id)
    }

    /// Until when a start waits for its card's channel, or for a broadcast with the same alert; nil if it does not
    /// wait. A card that started before that broadcast would give the alert twice (R4).
    private mutating func awaitedChannel(_ push: Push, _ token: StartToken?, _ replica: Replica) throws -> Instant? {
        guard push.event == .start, push.asksForToken, let token else { return nil }
        let environment = replica.lease?.probing == true ? token.environment.other : token.environment
        guard let channel = try channel(in: environment) else { return nil }
        return try channel.awaited(at: now)
            ?? channel.awaited(forAlertOf: push, in: activity, at: now, declaration: declaration.callAsFunction)
    }

    private mutating func channel(in environment: PushEnvironment) throws -> Channel? {
        let known = try channels ?? ledger.channels(of: activity.id)
        channels = known
        return known.first { $0.environment == environment }
    }

    private mutating func takeStart(_ replica: Replica, _ push: Push, _ startToken: StartToken?) throws {
        guard let startToken, var lease = replica.lease else { return }
        var leased = replica
        lease.state = .sent
        lease.sentAt = now
        // Alerts up to the declaration of the start are older than the card.
        lease.alerted = push.alertVersion > lease.version ? push.alertVersion : 0
        leased.lease = lease
        let environment = lease.probing ? startToken.environment.other : startToken.environment
        // As what Apple accepts is recorded, so that the story of the card tells the id of its start.
        let id = APNSID(activity: activity.id, version: push.version, ordinal: replica.ordinal, isStart: true)
        let isFollowing = try append(
            replica, push, to: Destination(token: startToken.token, environment: environment), id: id
        ).isFollowing
        // An earlier start that Apple refused may have named the channel of the other environment.
        let followed = isFollowing ? try channel(in: environment) : nil
        leased.following = followed.map { .channel(edition: $0.edition) } ?? .none
        try transaction.update(leased, from: replica, in: app.id)
        if isFollowing { try noteStart(of: replica, in: environment) }
    }

    /// Notes in the channel that a card will follow it, once for all starts of this look.
    private mutating func noteStart(of replica: Replica, in environment: PushEnvironment) throws {
        guard var followed = try channel(in: environment), followed.followed != nil,
            noted.insert(environment).inserted
        else { return }
        followed.noteStarts(
            showing: activity.common.state, alert: activity.common(for: replica.ordinal).alert, at: now)
        try ledger.update(followed)
    }

    private mutating func takeUpdate(_ replica: Replica, _ push: Push) throws {
        guard let token = replica.token else { return }
        _ = try append(
            replica, push,
            to: Destination(token: token.token, environment: token.environment, version: token.version),
            id: APNSID(activity: activity.id, version: push.version, ordinal: replica.ordinal))
    }

    /// Adds members of the ring, which are settled together.
    ///
    /// - Parameter unproven: How many of them Apple has not accepted anything for yet.
    mutating func append(
        _ ring: RingRun, of members: RingMembers, _ taken: [Int], unproven: Int, in environment: PushEnvironment
    ) throws {
        let index = page(for: environment, adding: taken.count)
        let rendered = try ring.groups.map { try template(for: $0.push, onPage: index) }
        var ring = ring
        for group in ring.groups.indices { ring.groups[group].push = rendered[group].push }
        let templates = rendered.map(\.index)
        pages[index].append(ring, of: activity.id, members, taken, templates: templates)
        takePlaces(unproven, in: environment)
        count += taken.count
    }

    private mutating func template(for push: Push, onPage index: Int) throws -> Rendered {
        let key = Key(page: index, push: push)
        if let known = templates[key] { return known }
        let written = try render(push, in: pages[index].page.environment)
        var leaving = push
        leaving.leavesAlertOut = written.leavesAlertOut
        let rendered = Rendered(
            index: pages[index].add(written.template), isFollowing: written.isFollowing, push: leaving)
        templates[key] = rendered
        return rendered
    }

    /// The token that a push goes to.
    private struct Destination {
        var token: PushToken
        var environment: PushEnvironment
        /// ``UpdateToken/version``; 0 for a start token.
        var version = 0
    }

    private mutating func append(
        _ replica: Replica, _ push: Push, to token: Destination, id: APNSID
    ) throws -> Rendered {
        let environment = token.environment
        let index = page(for: environment, adding: 1)
        let template = try template(for: push, onPage: index)
        let sent = SentPush(
            ordinal: replica.ordinal, push: template.push, tokenVersion: token.version, environment: environment,
            isUnproven: replica.isUnproven)
        if replica.isUnproven { takePlaces(1, in: environment) }
        pages[index].append(sent, of: activity.id, token: token.token, template: template.index, id: id)
        count += 1
        return template
    }

    /// The index of a page of this app, environment and shard with room for `count` pushes.
    private mutating func page(for environment: PushEnvironment, adding count: Int) -> Int {
        let last = pages.lastIndex {
            $0.app == app.id && $0.page.environment == environment && $0.shard == shard
        }
        if let last, pages[last].count + count <= PushPage.capacity { return last }
        pages.append(
            TakenPage(
                app: app.id, environment: environment, shard: shard, renewedAt: app.renewedAt[environment]))
        return pages.count - 1
    }

    /// Returns the pages, with the declarations that were read for their pushes. Nothing may be added after that.
    mutating func handOver() -> [TakenPage] {
        guard !hasOpenCanary else { return pages }
        for index in pages.indices { pages[index].note(declaration.known, of: activity.id) }
        return pages
    }

    // MARK: Templates

    private mutating func render(_ push: Push, in environment: PushEnvironment) throws -> RenderedPush {
        let followed = push.asksForToken ? try channel(in: environment)?.followed : nil
        return try push.template(
            of: activity, in: app, following: followed, at: now, declaration: declaration.callAsFunction)
    }
}
