import APNSWire
import EyotContract
import EyotDomain

/// Adds what is due of one activity to pages, one for each app and environment; equal pushes share a template.
struct PageBuilder {
    let ledger: any Ledger
    let app: App
    let activity: Activity
    let profile: TypeProfile
    let now: Instant
    /// Fewer members of a page than these are settled one by one.
    static let few = 16

    private var pages: [TakenPage]
    /// Pushes that it has added.
    private(set) var count = 0
    /// The soonest moment at which something is due that is not due yet.
    var later: Instant?
    /// Somebody is behind and has to wait.
    var owes = false
    /// Environments in which the app is paused and somebody is behind.
    private(set) var passedOver: Set<PushEnvironment> = []
    /// When the last of the replicas may be pushed that wait for a second ahead of the clock (R7); nil if none was met.
    var clockWait: Instant?
    /// The ordinal of the next card. It moves to a page of its own if the last page waits for the clock: the wait is
    /// not for cards that were not there when the clock was ahead.
    var firstOrdinalOfNewCards: Int
    /// Some such have been met since this was set back.
    var holds = false
    /// Replicas whose starts can lead to no card any more, before that and after.
    private(set) var lost: [(former: Replica, now: Replica)] = []
    private var templates: [Key: Rendered] = [:]
    /// The activity's channels, once something has asked for them.
    private var channels: [Channel]?
    private var noted: Set<PushEnvironment> = []
    let declaration: DeclarationReader
    var pending: PendingMembers
    /// Something is tried out: asked once, and not for each member.
    let hasOpenCanary: Bool

    private struct Key: Hashable {
        var page: Int
        var push: Push
    }

    private struct Rendered {
        /// On its page.
        var index: UInt16
        /// A card that it starts follows the channel.
        var isFollowing: Bool
        /// As it leaves.
        var push: Push
    }

    init(
        ledger: any Ledger, app: App, activity: Activity, profile: TypeProfile, now: Instant, pages: [TakenPage]
    ) throws {
        self.ledger = ledger
        self.app = app
        self.activity = activity
        firstOrdinalOfNewCards = activity.nextOrdinal
        hasOpenCanary = activity.openCanary != nil
        self.profile = profile
        self.now = now
        self.pages = pages
        declaration = DeclarationReader(ledger, of: activity.id)
        pending = try PendingMembers(ledger, of: activity)
    }

    /// - Returns: whether it waits for more than time: for a verdict from now on, or for what it is to be told.
    @discardableResult
    mutating func take(_ replica: Replica) throws -> Bool {
        // It is asked again when it is told.
        if try pending.contains(replica.ordinal) {
            owes = true
            return true
        }
        let before = count
        let type = activity.type ?? ""
        var startToken: StartToken?
        if replica.phase == .starting { startToken = try ledger.startToken(of: replica.device, type: type) }
        let due = try replica.due(
            in: activity, at: now, profile: profile, startToken: { startToken },
            osVersion: { try ledger.device(replica.device)?.osVersion ?? .remoteStart },
            language: { try ledger.device(replica.device)?.language },
            declaration: declaration.callAsFunction)
        switch due {
        case .nothing(let until):
            if let until { wait(until: until) }
        case .expired:
            var expired = replica
            expired.expire()
            try ledger.update(expired)
            if expired.hasLostStart { lost.append((replica, expired)) }
        case .later(let moment):
            owe(until: moment)
            clockWait = Instant.latest(clockWait, replica.clockWait(at: now))
        case .abandonStart(let failure):
            var abandoned = replica
            abandoned.abandonStart(failure)
            try ledger.update(abandoned)
        case .push(let push):
            if let environment = environment(of: push, to: replica, startToken), !app.isSending(in: environment) {
                try passOver(replica, in: environment, startToken)
            } else if let awaited = try awaitedChannel(push, startToken, replica) {
                owe(until: awaited)
            } else if push.event == .start, replica.isRestart,
                let moment = try ledger.moment(forRestart: replica, at: now)
            {
                wait(until: moment)
            } else if push.event == .start {
                try takeStart(replica, push, startToken)
            } else {
                try takeUpdate(replica, push)
            }
        }
        return count > before
    }

    /// Something is due at a moment that has not come.
    mutating func wait(until moment: Instant) { later = Instant.soonest(later, moment) }

    /// Somebody is behind, and nothing can be done before a moment.
    mutating func owe(until moment: Instant) {
        owes = true
        wait(until: moment)
    }

    private func environment(of push: Push, to replica: Replica, _ startToken: StartToken?) -> PushEnvironment? {
        guard push.event == .start else { return replica.token?.environment }
        return replica.lease?.probing == true ? startToken?.environment.other : startToken?.environment
    }

    /// Something is due in an environment in which the app is paused. It is looked at again when the app is resumed, and before
    /// that when its time is over.
    private mutating func passOver(
        _ former: Replica, in environment: PushEnvironment, _ startToken: StartToken?
    ) throws {
        guard former.token?.probing != true, former.lease?.probing != true else {
            return try giveUpProbe(of: former, startToken)
        }
        passOver(in: environment)
        if let end = former.expiresAt { wait(until: end) }
    }

    /// Somebody is due in an environment in which the app is paused.
    mutating func passOver(in environment: PushEnvironment) {
        passedOver.insert(environment)
        holds = true
    }

    /// A probe would find nothing out where the app is paused. When that is mended all who were set aside are tried again.
    private func giveUpProbe(of former: Replica, _ startToken: StartToken?) throws {
        var replica = former
        if former.phase == .starting {
            let death = replica.giveUpStartProbe()
            // One that was set since then is not the one that was refused.
            if var token = startToken, token.setAt.second <= former.lastSecond {
                token.death = death
                try ledger.put(token, in: app.id)
            }
        } else {
            replica.giveUpProbe()
        }
        try ledger.update(replica)
    }

    /// Until when a start waits for the channel that its card is to follow, or for the alert that others hear by it: the
    /// card would hear that once more (R4).
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
        // Alerts up to the declaration that starts the card are older than the card.
        lease.alerted = push.alertVersion > lease.version ? push.alertVersion : 0
        leased.lease = lease
        let environment = lease.probing ? startToken.environment.other : startToken.environment
        let id = APNSID(activity: activity.id, version: lease.version, ordinal: replica.ordinal, isStart: true)
        leased.isFollowing = try append(
            replica, push, token: startToken.token, tokenVersion: 0, environment: environment, id: id
        ).isFollowing
        try ledger.update(leased)
        if leased.isFollowing { try noteStart(of: replica, in: environment) }
    }

    /// Tells the channel that a card will follow it, once for all starts of this look.
    private mutating func noteStart(of replica: Replica, in environment: PushEnvironment) throws {
        guard var followed = try channel(in: environment), followed.followed != nil,
            noted.insert(environment).inserted
        else { return }
        followed.noteStarts(
            showing: activity.everyone, alert: activity.common(for: replica.ordinal).alert, at: now)
        try ledger.update(followed)
    }

    private mutating func takeUpdate(_ replica: Replica, _ push: Push) throws {
        guard let token = replica.token else { return }
        _ = try append(
            replica, push, token: token.token, tokenVersion: token.version, environment: token.environment,
            id: APNSID(activity: activity.id, version: push.version, ordinal: replica.ordinal))
    }

    /// Adds members of the ring, which are settled together.
    mutating func append(_ ring: RingRun, of members: RingMembers, _ taken: [Int], in environment: PushEnvironment)
        throws
    {
        let index = page(for: environment, adding: taken.count)
        let rendered = try ring.groups.map { try template(for: $0.push, onPage: index) }
        var ring = ring
        for group in ring.groups.indices { ring.groups[group].push = rendered[group].push }
        let templates = rendered.map(\.index)
        pages[index].append(ring, of: activity.id, members, taken, templates: templates)
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

    private mutating func append(
        _ replica: Replica, _ push: Push, token: PushToken, tokenVersion: Int, environment: PushEnvironment, id: APNSID
    ) throws -> Rendered {
        let index = page(for: environment, adding: 1)
        let template = try template(for: push, onPage: index)
        let sent = SentPush(
            ordinal: replica.ordinal, push: template.push, tokenVersion: tokenVersion, environment: environment)
        pages[index].append(sent, of: activity.id, token: token, template: template.index, id: id)
        count += 1
        return template
    }

    /// A page of this app for an environment that has room for so many.
    private mutating func page(for environment: PushEnvironment, adding count: Int) -> Int {
        let last = pages.lastIndex { $0.app == app.id && $0.page.environment == environment }
        if let last, pages[last].count + count <= PushPage.capacity { return last }
        pages.append(TakenPage(app: app.id, environment: environment, renewedAt: app.renewedAt[environment]))
        return pages.count - 1
    }

    /// The pages, with what was read of the activity's declarations on those that carry pushes of it. Nothing is added after that.
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
