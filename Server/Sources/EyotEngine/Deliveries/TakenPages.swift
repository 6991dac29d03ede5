import APNSWire
import EyotContract
import EyotDomain

/// Pushes of one app for one environment and, slot for slot, what is needed to judge their verdicts.
package struct TakenPage: Sendable {
    /// The slots of one activity: they lie together.
    package struct Run: Sendable, Hashable {
        package var activity: ActivityID
        package var slots: Range<Int>
    }

    package let app: AppID
    package private(set) var page: PushPage
    package private(set) var sent: [SentPush] = []
    package private(set) var runs: [Run] = []

    package init(app: AppID, environment: PushEnvironment) {
        self.app = app
        page = PushPage(environment: environment)
    }

    package var count: Int { sent.count }

    mutating func add(_ template: PushTemplate) -> UInt16 { page.add(template) }

    /// - Precondition: slots of one activity follow each other.
    package mutating func append(
        _ push: SentPush, of activity: ActivityID, token: PushToken, template: UInt16, id: APNSID
    ) {
        page.append(token: token, template: template, id: id)
        sent.append(push)
        if let last = runs.indices.last, runs[last].activity == activity {
            runs[last].slots = runs[last].slots.lowerBound..<sent.count
        } else {
            runs.append(Run(activity: activity, slots: sent.count - 1..<sent.count))
        }
    }
}

/// What a look at several activities has found.
package struct TakenPages: Sendable {
    package var pages: [TakenPage] = []
    package var looked: [ActivityID: LookedAt] = [:]

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
        ///
        /// - stamp: the activity's stamp then.
        /// - next: where the next part begins; nil at the end of a lap.
        /// - later: the soonest moment at which something here is due that is not due yet.
        case seen(stamp: Int, next: Int?, later: Instant?)
        /// There was nothing to do, and the store has noted until when.
        case rests
    }

    /// Nil where the activity is gone.
    package var app: AppID?
    package var outcome: Outcome

    package init(app: AppID?, _ outcome: Outcome) {
        self.app = app
        self.outcome = outcome
    }
}
