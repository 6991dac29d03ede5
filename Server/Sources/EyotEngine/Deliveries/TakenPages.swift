import APNSWire
import EyotContract
import EyotDomain

/// A page of one app's pushes for one environment and shard, and for each slot the data to settle its verdict.
package struct TakenPage: Sendable {
    /// Adjacent slots of one activity.
    package struct Run: Sendable, Hashable {
        package var activity: ActivityID
        package var slots: Range<Int>
        /// The ring page that these slots are members of, which are settled together; nil for single replicas.
        package var ring: RingRun?
    }

    package let app: AppID
    /// The shard of its activities; see ``EyotDomain/Sharding``.
    package let shard: Int
    package private(set) var page: PushPage
    package private(set) var sent: [SentPush] = []
    package private(set) var runs: [Run] = []
    /// The declarations that were read for these pushes, so that settling single replicas need not read them again.
    /// Activities with an open canary have none here, because a trial changes when it is released.
    package private(set) var declarations: [ActivityID: [Int: Declaration]] = [:]
    /// The slots on the page that left, if this is a part of it; otherwise nil.
    package private(set) var slots: [Int]?
    /// ``App/renewedAt`` of the page's environment when the page was taken. If that changes, the page's verdicts do not
    /// pause the app.
    package let renewedAt: Instant?
    /// Whether the page tries if Apple takes pushes of an app that is paused in this environment.
    var isTrial = false
    /// The alerts of the page, or of this part of it, as they are noted in the store; nil if none is noted.
    package internal(set) var mark: AlertMark?
    /// When the page left for the sender; nil before.
    var leftAt: Instant?
    /// The number of the page, counted as pages leave; nil before it leaves. Parts of a page have its number.
    var number: Int?

    package init(app: AppID, environment: PushEnvironment, shard: Int, renewedAt: Instant? = nil) {
        (self.app, self.shard) = (app, shard)
        self.renewedAt = renewedAt
        page = PushPage(environment: environment)
    }

    /// The fault that pauses the app in the page's environment because of this page's verdicts.
    func fault(because reason: APNSReason) -> AppFault {
        AppFault(of: app, in: page.environment, renewedAt: renewedAt, because: reason)
    }

    package var count: Int { sent.count }

    /// The activities with pushes on this page, each once.
    package var activities: [ActivityID] {
        runs.indices.filter { $0 == 0 || runs[$0 - 1].activity != runs[$0].activity }.map { runs[$0].activity }
    }

    /// Sets the seconds that pushes may be stamped with.
    ///
    /// - Parameters:
    ///   - start: When the page was bound.
    ///   - end: The moment before which its pushes must leave; nil for no limit.
    mutating func stamp(from start: Instant, before end: Instant?) {
        page.stamps = .seconds(from: start, before: end)
    }

    /// Keeps the declarations that were read of an activity, if the last run is of that activity.
    mutating func note(_ known: [Int: Declaration], of activity: ActivityID) {
        if runs.last?.activity == activity { declarations[activity] = known }
    }

    mutating func add(_ template: PushTemplate) -> UInt16 { page.add(template) }

    /// The ordinals of a run.
    package func ordinals(of run: Run) -> RingSlots {
        var slots = RingSlots()
        for slot in run.slots { slots.insert(sent[slot].ordinal) }
        return slots
    }

    /// Adds a push.
    ///
    /// - Precondition: The slots of one activity follow each other.
    package mutating func append(
        _ push: SentPush, of activity: ActivityID, token: PushToken, template: UInt16, id: APNSID
    ) {
        page.append(token: token, template: template, id: id)
        sent.append(push)
        if let last = runs.indices.last, runs[last].activity == activity, runs[last].ring == nil {
            runs[last].slots = runs[last].slots.lowerBound..<sent.count
        } else {
            runs.append(Run(activity: activity, slots: sent.count - 1..<sent.count))
        }
    }

    /// Adds members of the ring as a run of their own.
    ///
    /// - Parameters:
    ///   - taken: The indices of the members.
    ///   - templates: The template of each group of the ring.
    mutating func append(
        _ ring: RingRun, of activity: ActivityID, _ members: RingMembers, _ taken: [Int], templates: [UInt16]
    ) {
        let first = count
        page.reserveCapacity(forFurther: taken.count, tokenBytes: members.tokenByteCount)
        sent.reserveCapacity(count + taken.count)
        members.withTokens { tokens in
            for (index, kind) in zip(taken, ring.groupOf) {
                let (member, group) = (members.members[index], ring.groups[Int(kind)])
                let push = group.push
                sent.append(
                    SentPush(
                        ordinal: member.ordinal, push: push, tokenVersion: member.tokenVersion,
                        environment: page.environment, isUnproven: group.stand.isUnproven))
                page.append(
                    tokenBytes: tokens[index], template: templates[Int(kind)],
                    id: APNSID(activity: activity, version: push.version, ordinal: member.ordinal))
            }
        }
        runs.append(Run(activity: activity, slots: first..<count, ring: ring))
    }

    /// Adds some pushes of a page that has left, as a run. Their tokens are no longer needed.
    mutating func add(
        _ indices: [Int], of activity: ActivityID, _ leftAt: [Int], from whole: TakenPage, ring: RingRun?
    ) {
        guard !indices.isEmpty else { return }
        declarations[activity] = whole.declarations[activity]
        runs.append(Run(activity: activity, slots: count..<count + indices.count, ring: ring))
        sent += indices.map { whole.sent[$0] }
        slots = (slots ?? []) + leftAt
    }
}

/// One take of a ring page, with the data to settle the page as a whole.
package struct RingRun: Sendable, Hashable {
    /// Members that are equally far and get the same push.
    package struct Group: Sendable, Hashable {
        package var stand: RingStand
        package var push: Push
    }

    /// The page's number, and the count of its takes up to this one.
    package var page: Int
    package var time: Int
    /// The version of the newest state for everyone when the page was taken.
    package var everyone: Int
    package var groups: [Group]
    /// For each slot of the run, its group and when its token was set.
    package var groupOf: [UInt8] = []
    package var tokenSetAt: [Instant] = []
    /// Ordinals that were taken with the page and are not settled with it. They do not get the page's credit.
    package var open: [Int] = []
    /// What the page has seen once its verdicts are settled. Nil if this run does not carry all that is due on the
    /// page.
    package var seeing: Seeing?

    package struct Seeing: Sendable, Hashable {
        package var version: Version
        package var changes: Int
        /// The next moment at which time alone makes a member due; nil for none.
        package var until: Instant?
        /// Whether a replica is behind and waits for ``until``.
        package var hasWaitingReplicas: Bool
    }
}

/// The result of a look at several activities.
package struct TakenPages: Sendable {
    package var pages: [TakenPage] = []
    package var looked: [ActivityID: LookedAt] = [:]
    /// Activities that rest although replicas are behind, and until when.
    package var restingBehind: [ActivityID: Instant] = [:]
    /// When the last of the cards that wait for a second ahead of the clock may be pushed (R7); nil if none was met.
    package var clockWait: Instant?
    /// The blocks of unproven tokens that wait for room in their lanes and are next.
    package var waitingBlocks: [Trial: WaitingBlocks] = [:]

    package init() {}

    package var count: Int { pages.reduce(0) { $0 + $1.count } }
}

/// The result of a look at one activity.
package struct LookedAt: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// The activity is gone, or nothing is sent for its app at the moment.
        case closed
        /// There was no room for the activity.
        case unseen
        /// A part of its replicas was looked at.
        case seen(Seen)
        /// There was nothing to do, and the store has noted until when.
        case rests
    }

    package struct Seen: Sendable, Hashable {
        /// The activity's stamp at the look.
        package var stamp: Int
        /// What was newest when the lap began; nil for a turn's first lap, and if nothing waits until all replicas have
        /// it.
        package var goal: EngineCore.LapGoal?
        /// Where the lap continues; nil at its end.
        package var next: EngineCore.Cursor?
        /// The soonest moment at which something becomes due; nil for none.
        package var later: Instant?
        /// Whether a replica is behind and must wait.
        package var hasWaitingReplicas = false
        /// Whether something was declared since this lap began, so that another lap must follow.
        package var needsAnotherLap = false
        /// Whether a replica is behind that a pause skips.
        package var hasPausedReplicas = false

        package init(
            stamp: Int, goal: EngineCore.LapGoal? = nil, next: EngineCore.Cursor? = nil, later: Instant? = nil,
            hasWaitingReplicas: Bool = false, needsAnotherLap: Bool = false, hasPausedReplicas: Bool = false
        ) {
            (self.stamp, self.goal, self.next, self.later) = (stamp, goal, next, later)
            (self.hasWaitingReplicas, self.needsAnotherLap, self.hasPausedReplicas) = (
                hasWaitingReplicas, needsAnotherLap, hasPausedReplicas
            )
        }
    }

    /// Nil if the activity is gone or there was no room to read it.
    package var app: AppID?
    package var outcome: Outcome

    package init(app: AppID?, _ outcome: Outcome) {
        self.app = app
        self.outcome = outcome
    }
}

extension Range<Int> {
    /// The UNIX seconds from that of `start` up to that of `end`, which is excluded. Without an end, all seconds that
    /// follow.
    static func seconds(from start: Instant, before end: Instant?) -> Range<Int> {
        start.second..<Swift.max(start.second, end?.second ?? .max)
    }
}
