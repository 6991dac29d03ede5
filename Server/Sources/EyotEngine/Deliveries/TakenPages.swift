import APNSWire
import EyotContract
import EyotDomain

/// Pushes of one app for one environment and, slot for slot, what is needed to judge their verdicts.
package struct TakenPage: Sendable {
    /// Slots of one activity. Those of an activity lie together.
    package struct Run: Sendable, Hashable {
        package var activity: ActivityID
        package var slots: Range<Int>
        /// Where these are members of the ring, which are settled together.
        package var ring: RingRun?
    }

    package let app: AppID
    package private(set) var page: PushPage
    package private(set) var sent: [SentPush] = []
    package private(set) var runs: [Run] = []
    /// What was declared, as far as it was read for these pushes, so that the verdicts of single replicas need not read it again. Nothing
    /// that is tried out: that changes when it is released.
    package private(set) var declarations: [ActivityID: [Int: Declaration]] = [:]
    /// Where these stood on the page that left, where this is a part of that.
    package private(set) var slots: [Int]?
    /// ``App/renewedAt`` of the page's environment when it was taken: if that changes, its verdicts do not pause the
    /// app.
    package let renewedAt: Instant?
    /// It is to show whether Apple takes pushes of an app that is paused in its environment.
    var isTrial = false
    /// Counted as pages leave; nil before it does. Parts of a page have the number that it had.
    var number: Int?

    package init(app: AppID, environment: PushEnvironment, renewedAt: Instant? = nil) {
        self.app = app
        self.renewedAt = renewedAt
        page = PushPage(environment: environment)
    }

    /// What pauses the app because of this page's verdicts, in its environment.
    func fault(because reason: APNSReason) -> AppFault {
        AppFault(of: app, in: page.environment, renewedAt: renewedAt, because: reason)
    }

    package var count: Int { sent.count }

    /// The activities that have pushes here, each once.
    package var activities: [ActivityID] {
        runs.indices.filter { $0 == 0 || runs[$0 - 1].activity != runs[$0].activity }.map { runs[$0].activity }
    }

    /// It was bound at a moment, and has to leave before another one or not at all; nil for no such moment.
    mutating func stamp(from start: Instant, before end: Instant?) {
        page.stamps = .seconds(from: start, before: end)
    }

    /// Says what was read of an activity's declarations, where its pushes are the newest here.
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

    /// - Precondition: slots of one activity follow each other.
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

    /// Adds members of the ring, which are a run of their own.
    ///
    /// - Parameters:
    ///   - taken: the members, by their index.
    ///   - templates: for each group of the ring.
    mutating func append(
        _ ring: RingRun, of activity: ActivityID, _ members: RingMembers, _ taken: [Int], templates: [UInt16]
    ) {
        let first = count
        page.reserveCapacity(forFurther: taken.count, tokenBytes: members.tokenByteCount)
        sent.reserveCapacity(count + taken.count)
        members.withTokens { tokens in
            for (index, group) in zip(taken, ring.groupOf) {
                let (member, push) = (members.members[index], ring.groups[Int(group)].push)
                sent.append(
                    SentPush(
                        ordinal: member.ordinal, push: push, tokenVersion: member.tokenVersion,
                        environment: page.environment))
                page.append(
                    tokenBytes: tokens[index], template: templates[Int(group)],
                    id: APNSID(activity: activity, version: push.version, ordinal: member.ordinal))
            }
        }
        runs.append(Run(activity: activity, slots: first..<count, ring: ring))
    }

    /// Adds some pushes of a page that has left, as a run. Nobody needs their tokens any more.
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

/// One time that a page of the ring was taken, and what is needed to settle it as a whole.
package struct RingRun: Sendable, Hashable {
    /// Members that are equally far, and get the same push.
    package struct Group: Sendable, Hashable {
        package var stand: RingStand
        package var push: Push
    }

    /// The page's number, and which time it is that it was taken.
    package var page: Int
    package var time: Int
    /// The newest state for everyone when it was taken.
    package var everyone: Int
    package var groups: [Group]
    /// For each slot of the run, its group and since when its token is there.
    package var groupOf: [UInt8] = []
    package var tokenSetAt: [Instant] = []
    /// Ordinals that were taken with it and are not settled with it. The page's credit is not for them.
    package var open: [Int] = []
    /// What the page has seen once its verdicts are in, and how often it had changed by the time it was taken. Nil where not
    /// all that is due on it goes with this run.
    package var seeing: Seeing?

    package struct Seeing: Sendable, Hashable {
        package var version: Int
        package var changes: Int
        /// When time alone makes something due on it.
        package var until: Instant?
        /// Somebody is behind and waits for that.
        package var owes: Bool
    }
}

/// What a look at several activities has found.
package struct TakenPages: Sendable {
    package var pages: [TakenPage] = []
    package var looked: [ActivityID: LookedAt] = [:]
    /// When the last of the cards may be pushed that wait for a second ahead of the clock (R7); nil if none was met.
    package var clockWait: Instant?

    package init() {}

    package var count: Int { pages.reduce(0) { $0 + $1.count } }
}

/// What a look at one activity has found.
package struct LookedAt: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// It is gone, or nothing is sent for its app at the moment.
        case closed
        /// There was no room for it.
        case unseen
        /// A part of its replicas was looked at.
        case seen(Seen)
        /// There was nothing to do, and the store has noted until when.
        case rests
    }

    package struct Seen: Sendable, Hashable {
        /// The activity's stamp then.
        package var stamp: Int
        /// What was newest when the lap began; nil for a turn's first lap, and where nothing waits for everybody to have it.
        package var goal: EngineCore.LapGoal?
        /// Where the lap goes on; nil at its end.
        package var next: EngineCore.Cursor?
        /// The soonest moment at which something here is due that is not due yet.
        package var later: Instant?
        /// Somebody is behind and has to wait.
        package var owes = false
        /// Something was declared since this lap began; another one has to follow it.
        package var again = false
        /// Somebody is behind whom a pause passes over.
        package var hasPausedReplicas = false

        package init(
            stamp: Int, goal: EngineCore.LapGoal? = nil, next: EngineCore.Cursor? = nil, later: Instant? = nil,
            owes: Bool = false, again: Bool = false, hasPausedReplicas: Bool = false
        ) {
            (self.stamp, self.goal, self.next, self.later) = (stamp, goal, next, later)
            (self.owes, self.again, self.hasPausedReplicas) = (owes, again, hasPausedReplicas)
        }
    }

    /// Nil where the activity is gone.
    package var app: AppID?
    package var outcome: Outcome

    package init(app: AppID?, _ outcome: Outcome) {
        self.app = app
        self.outcome = outcome
    }
}

extension Range<Int> {
    /// The UNIX seconds from that of one moment up to, and without, that of another; all that follow where there is none.
    static func seconds(from start: Instant, before end: Instant?) -> Range<Int> {
        start.second..<Swift.max(start.second, end?.second ?? .max)
    }
}
