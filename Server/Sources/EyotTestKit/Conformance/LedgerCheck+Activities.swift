import APNSWire
import EyotContract
import EyotDomain

extension LedgerCheck {
    private static let stages: [Canary.Stage] = [
        .delivering(until: nil), .delivering(until: .after(1)), .waiting(until: .after(2)), .passed(at: .after(3)),
        .failed(at: .after(4), halts: true), .failed(at: .after(5), halts: false),
    ]

    /// A canary in each stage.
    private static let canaries: [Canary] = stages.enumerated().map { index, stage in
        var common = CommonState()
        (common.state, common.alert, common.urgent) = (5, 4, 3)
        if index > 0 { (common.asOf, common.end) = (.after(-6), 9) }
        var canary = Canary(
            terms: Canary.Terms(percent: 2.5, maximumRefusals: 0.031, waitSeconds: 7.25), version: 9, oldest: 8,
            common: common)
        canary.stage = stage
        canary.upTo = 17
        (canary.answers.accepted, canary.answers.refused, canary.answers.unknown) = (10, 11, 12)
        return canary
    }

    static let activities = [
        LedgerCheck("A name's newest generation is found in its own app alone") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            _ = try rows.activity("m", in: one)
            let newest = try rows.activity("m", in: one, generation: 2)
            _ = try rows.activity("n", in: one, generation: 9)
            let foreign = try rows.activity("m", in: two, type: nil)
            try require(ledger.newestActivity(named: "m", in: one), is: newest, "the newest")
            try require(ledger.newestActivity(named: "m", in: two), is: foreign, "the other app's")
            try require(ledger.newestActivity(named: "M", in: one), is: nil, "another name")
            try require(
                ledger.activities(named: "m", in: one, limit: 9).map(\.generation), is: [2, 1], "all of its own")
            try require(ledger.activities(named: "m", in: one, limit: 1), is: [newest], "up to the limit")
        },
        LedgerCheck("Names are listed in the order of their bytes, each by its newest generation") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let names = ["a", "B", "b", "é", "z", "😀", "aa", "A"]
            for name in names {
                for generation in 1...2 { _ = try rows.activity(name, in: one, generation: generation) }
            }
            _ = try rows.activity("c", in: two)
            var found: [Activity] = []
            while case let page = try ledger.newestActivities(in: one, after: found.last?.name ?? "", limit: 3),
                !page.isEmpty
            {
                try require(page.count <= 3, "a page is not longer than its limit")
                found += page
            }
            try require(found.map(\.name), is: ["A", "B", "a", "aa", "b", "z", "é", "😀"], "the names")
            try require(Set(found.map(\.generation)), is: [2], "the generations")
            let following = try ([""] + found.map(\.name)).map { try ledger.activityName(in: one, after: $0) }
            try require(following, is: found.map(\.name) + [nil], "the name after each")
        },
        LedgerCheck("An activity is kept whole") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            var activity = try rows.activity(in: try rows.app(), type: nil)
            try require(ledger.activity(activity.id), is: activity, "as it was opened")
            activity.declare(type: "T")
            (activity.version, activity.common.state, activity.common.alert, activity.stamp) = (9, 8, 7, 6)
            activity.latestAsOf = .after(-4)
            (activity.common.asOf, activity.endedAt, activity.endsAt) = (.after(-1), .after(-2), .after(3))
            (activity.startsAt, activity.common.urgent, activity.dismissesAtEnd) = (.after(5), 4, true)
            (activity.laps.begun, activity.laps.ended) = (6, 5)
            (activity.end, activity.nextOrdinal, activity.dueAt) = (5, 1_000_001, .after(4))
            activity.haltedAt = .after(5)
            activity.tally.started = 1
            activity.tally.accepted = 2
            activity.tally.ended = 3
            activity.tally.superseded = 4
            activity.tally.alertsSuperseded = 5
            activity.tally.alertsExpired = 6
            activity.tally.refused = 7
            activity.tally.unknown = 8
            for verdict in [.accepted, .refused(.shutdown), .unknown, .notProcessed, .accepted] as [PushVerdict] {
                activity.tally.broadcasts.add(verdict)
            }
            for age in [0, 0.0123, 7.7, 86_400] { activity.tally.ages.record(seconds: age) }
            try ledger.update(activity)
            try require(ledger.activity(activity.id), is: activity, "with everything set")
            for canary in canaries {
                activity.canary = canary
                try ledger.update(activity)
                try require(ledger.activity(activity.id), is: activity, "with a canary")
            }
            try require(ledger.activity(ActivityID(rawValue: 99)), is: nil, "one that is not there")
        },
        LedgerCheck("A declaration is kept as it was said, to the literal of a number") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let activity = try rows.activity(in: try rows.app())
            let state = try JSONValue(parsing: Array(#"{"z":2.50,"a":{"e":1e3,"t":"\"\\é😀\n"},"n":null}"#.utf8))
            let said = [
                Content(state: state),
                Content(state: .null),
                Content(
                    state: state,
                    alert: Alert(body: ["title": "t", "body": "b"], expiresAt: .after(1)),
                    staleDate: 1, dismissalDate: -2, relevanceScore: 0.1, priority: .considerate, isUrgent: true,
                    aps: ["z": 1.5, "a": nil]),
                Content(state: ["n": 1], alert: Alert(body: "text", expiresAt: .after(2)), priority: .lowest),
            ]
            for (index, content) in said.enumerated() {
                var declaration = Declaration(
                    activity: activity.id, version: index + 1, kind: .state,
                    scope: index % 2 == 0 ? .everyone : .members(count: index), content: content,
                    attributes: index == 0 ? state : nil, acceptedAt: .after(7), asOf: index == 1 ? .after(8) : nil)
                declaration.follows = index
                try ledger.insert(declaration)
                try require(ledger.declaration(index + 1, of: activity.id), is: declaration, "version \(index + 1)")
            }
            let end = Declaration(
                activity: activity.id, version: 5, kind: .end, scope: .members(count: 0), content: Content(),
                acceptedAt: .after(9))
            try ledger.insert(end)
            try require(ledger.declaration(5, of: activity.id), is: end, "an end without content")
            var released = end
            released.releasedAt = .after(10)
            try ledger.update(released)
            try require(ledger.declaration(5, of: activity.id), is: released, "one that went on to everyone")
            try require(ledger.declaration(6, of: activity.id), is: nil, "a version that is not there")
        },
        LedgerCheck("An operation is kept whole, and read in its own app alone") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let activity = try rows.activity(in: one)
            var operation = Operation(
                app: one, verb: .put, name: "m", activity: activity.id, generation: 1, version: 3, outcome: .unchanged,
                acceptedAt: ConformanceRows.now)
            for (index, failure) in StartFailure.allCases.enumerated() { operation.skipped[failure] = index }
            (operation.starting, operation.members, operation.warnings) = (4, 5, ["a \"warning\"", ""])
            (operation.key, operation.source, operation.asOf) = (12, "a definition", .after(2))
            operation.before.accepted = 6
            (operation.before.refused, operation.before.unknown, operation.before.superseded) = (7, 8, 9)
            let stored = try ledger.insert(operation)
            operation.id = stored.id
            try require(stored, is: operation, "what was stored")
            try require(ledger.operation(stored.id, in: one), is: operation, "what is read")
            try require(ledger.operation(stored.id, in: two), is: nil, "in another app")
            for supersededBy in [nil, 7] {
                operation.completion = OperationCompletion(
                    at: .after(3), supersededBy: supersededBy, after: operation.before)
                try ledger.update(operation)
                try require(ledger.operation(stored.id, in: one), is: operation, "complete")
            }
        },
        LedgerCheck("Operations are found by their source, activity by activity, and by when they were accepted") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            func insert(_ app: AppID, _ source: String?, _ activity: Int64?, _ second: Int64) throws -> Int64 {
                var operation = Operation(
                    app: app, verb: .start, name: "n", activity: activity.map(ActivityID.init(rawValue:)),
                    generation: 1,
                    version: 1, outcome: .applied, acceptedAt: .after(second))
                operation.source = source
                return try ledger.insert(operation).id
            }
            let ids = try [
                insert(one, "a", 2, 5), insert(one, "a", 1, 6), insert(one, "b", 1, 7), insert(one, nil, 1, 7),
                insert(two, "a", 1, 7), insert(one, "a", 1, 9), insert(one, "a", nil, 8),
            ]
            func found(after activity: Int64, _ id: Int64, _ limit: Int) throws -> [Int64] {
                try ledger.operations(
                    of: "a", in: one, after: ActivityID(rawValue: activity), id: id, limit: limit
                ).map(\.id)
            }
            try require(found(after: 0, 0, 9), is: [ids[1], ids[5], ids[0]], "by activity")
            try require(found(after: 0, 0, 1), is: [ids[1]], "a limit")
            try require(found(after: 1, ids[1], 9), is: [ids[5], ids[0]], "after one")
            func accepted(_ start: Int64, _ end: Int64, _ limit: Int = 9) throws -> [Int64] {
                try ledger.operationsWithSource(in: one, from: .after(start), to: .after(end), limit: limit).map(\.id)
            }
            try require(accepted(6, 8), is: [ids[1], ids[2], ids[6]], "within a time")
            try require(accepted(0, 99, 2), is: [ids[0], ids[1]], "a limit")
        },
        LedgerCheck("Operations and refused calls are found by the ids of their requests, of one app") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            func insert(_ app: AppID, _ request: RequestID?) throws -> Int64 {
                var operation = Operation(
                    app: app, verb: .update, name: "n", activity: nil, generation: 1, version: 1, outcome: .applied,
                    acceptedAt: ConformanceRows.now)
                operation.request = request
                return try ledger.insert(operation).id
            }
            let ids = try [
                insert(one, RequestID("a", callers: "mine")), insert(one, RequestID("b", callers: "mine")),
                insert(two, RequestID("a")), insert(one, nil),
            ]
            func found(_ id: String, _ limit: Int = 9) throws -> [Int64] {
                try ledger.operations(ofRequest: id, in: one, limit: limit).map(\.id)
            }
            try require(found("a"), is: [ids[0]], "by the server's id")
            try require(found("mine"), is: [ids[0], ids[1]], "by the caller's")
            try require(found("mine", 1), is: [ids[0]], "up to a limit")
            try require(found("c"), is: [], "none")
            let call = RefusedCall(
                RequestID("d", callers: "mine"), "POST", "/v1/activities/{name}/update", status: 413, field: "a.b",
                key: 7)
            var event = Event(app: one, at: ConformanceRows.now, Fact(.callRefused, reason: "payloadTooLarge"))
            event.call = call
            try ledger.record(event)
            for id in ["d", "mine"] {
                try require(ledger.events(ofRequest: id, in: one, limit: 9).map(\.call), is: [call], "a refused call")
            }
            try require(ledger.events(ofRequest: "d", in: two, limit: 9).count, is: 0, "another app's")
        },
        LedgerCheck("Operations that are not complete are found by their activity, oldest first") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activities = [try rows.activity("m", in: app), try rows.activity("n", in: app)]
            let ids = try (0..<6).map { index in
                var operation = Operation(
                    app: app, verb: .update, name: "m", activity: index == 5 ? nil : activities[index % 2].id,
                    generation: 1, version: index, outcome: .applied, acceptedAt: ConformanceRows.now)
                if index == 2 {
                    operation.completion = OperationCompletion(at: .after(1), after: DeliveryCounts(Tally.counted))
                }
                return try ledger.insert(operation).id
            }
            try require(
                ledger.openOperations(of: activities[0].id, limit: 9).map(\.id), is: [ids[0], ids[4]], "of the first")
            try require(ledger.openOperations(of: activities[1].id, limit: 1).map(\.id), is: [ids[1]], "a limit")
        },
    ]

    static let due = [
        LedgerCheck("Due activities come soonest first, and none of an app that is paused") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let apps = [try rows.app("one"), try rows.app("two"), try rows.app("paused")]
            var ids: [ActivityID] = []
            for (index, wait) in [30, 10, 20, 40, 5].enumerated() {
                var activity = try rows.activity("m\(index)", in: apps[index == 4 ? 2 : index % 2])
                activity.wake(at: .after(Int64(wait)))
                try ledger.update(activity)
                ids.append(activity.id)
            }
            _ = try rows.activity("idle", in: apps[0])
            guard var paused = try ledger.app(apps[2]) else { throw Violation("the app is gone") }
            for environment in PushEnvironment.allCases {
                paused.pauses[environment] = AppPause(reason: .badTopic, since: .after(0))
            }
            try ledger.update(unrecorded: paused)
            try require(ledger.dueActivities(at: .after(30), limit: 9).map(\.id), is: [ids[1], ids[2], ids[0]], "due")
            try require(
                ledger.dueActivities(at: .after(30), limit: 2).map(\.id), is: [ids[1], ids[2]], "up to the limit")
            try require(ledger.dueActivities(at: .after(9), limit: 9).map(\.id), is: [], "before the first")
            func between(_ app: Int, _ limit: Int = 9) throws -> [ActivityID] {
                try ledger.activitiesDue(of: apps[app], after: .after(10), upTo: .after(30), limit: limit)
            }
            try require([between(0), between(1), between(2)], is: [[ids[2], ids[0]], [], []], "between two moments")
            try require(between(0, 1), is: [ids[2]], "the sooner of them")
            try require(
                ledger.activitiesDue(of: apps[2], after: .after(4), upTo: .after(5), limit: 9), is: [ids[4]],
                "of an app that is paused, too")
            try require(ledger.nextDue(after: .after(0)), is: .after(10), "the next")
            try require(ledger.nextDue(after: .after(10)), is: .after(20), "the one after it")
            try require(ledger.nextDue(after: .after(40)), is: nil, "after the last")
            paused.pauses[.production] = nil
            try ledger.update(unrecorded: paused)
            try require(
                ledger.dueActivities(at: .after(9), limit: 9).map(\.id), is: [ids[4]], "when the pause is lifted")
        },
        LedgerCheck("An activity that rests for long is due when work wakes it, and at the end of its rest") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            func at(_ second: Int64) -> Instant { .after(second * 1_000_000) }
            let app = try rows.app()
            var activity = try rows.activity("m", in: app)
            func store(_ change: (inout Activity) -> Void) throws {
                change(&activity)
                try ledger.update(activity)
                try require(ledger.activity(activity.id), is: activity, "the activity")
            }
            func due(at second: Int64) throws -> [Instant] {
                try ledger.dueActivities(at: at(second), limit: 9).map(\.since)
            }
            try store { $0.rest(until: at(9_000), at: at(0)) }
            try require(due(at: 8_999), is: [], "at rest")
            try require(due(at: 9_000), is: [at(9_000)], "after the rest")
            for round in 1...2 {
                let moment = Int64(round) * 100
                try store { $0.wake(at: at(moment)) }
                try require(due(at: moment), is: [at(moment)], "woken")
                try require(due(at: 9_999), is: [at(moment)], "once, by the earlier moment")
                try require(ledger.nextDue(after: at(0)), is: at(moment), "the next is when it is woken")
                try store { $0.rest(until: at(9_000), at: at(moment)) }
                try require(due(at: 8_999), is: [], "at rest again")
                try require(ledger.nextDue(after: at(moment)), is: at(9_000), "the next is the end of its rest")
                try require(
                    ledger.activitiesDue(of: app, after: at(0), upTo: at(9_000), limit: 9), is: [activity.id],
                    "between two moments")
            }
            try store { $0.rest(until: at(500), at: at(200)) }
            try require(due(at: 500), is: [at(500)], "after a short rest")
            try store { $0.rest(until: at(20_000), at: at(500)) }
            try require(due(at: 19_999), is: [], "the former rest is forgotten")
            try store { $0.rest(until: at(20_500), at: at(20_000)) }
            try require(due(at: 20_400), is: [], "a rest that is over does not count")
            try store { $0.rest(until: nil, at: at(20_500)) }
            try require(due(at: 90_000), is: [], "without a moment")
            try require(ledger.nextDue(after: at(0)), is: nil, "none is next")
        },
        LedgerCheck("Activities that have passed somebody over are due where their app is not paused any more") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let id = try rows.app()
            guard var app = try ledger.app(id) else { throw Violation("the app is gone") }
            let sets: [Set<PushEnvironment>] = [[.sandbox], [.production], [.sandbox, .production], []]
            var ids: [ActivityID] = []
            for (index, skippedEnvironments) in sets.enumerated() {
                var activity = try rows.activity("m\(index)", in: id, type: "T\(index)")
                activity.skippedEnvironments = skippedEnvironments
                if index > 1 { activity.dueAt = .after(3) }
                try ledger.update(activity)
                try require(ledger.activity(activity.id), is: activity, "the activity")
                ids.append(activity.id)
            }
            func due(_ paused: [PushEnvironment]) throws -> [ActivityID] {
                app.pauses = Dictionary(
                    uniqueKeysWithValues: paused.map { ($0, AppPause(reason: .badTopic, since: .after(0))) })
                try ledger.update(unrecorded: app)
                return try ledger.dueActivities(at: .after(9), limit: 9).map(\.id)
            }
            try require(due([]), is: [ids[0], ids[1], ids[2], ids[3]], "nowhere paused")
            try require(due([.sandbox]), is: [ids[1], ids[2], ids[3]], "paused in sandbox")
            try require(due([.production]), is: [ids[0], ids[2], ids[3]], "paused in production")
            try require(due([.sandbox, .production]), is: [], "paused everywhere")
            app.haltedTypes = ["T1": .after(0)]
            try require(due([]), is: [ids[0], ids[2], ids[3]], "of a halted type")
            try require(ledger.dueActivities(at: .after(9), limit: 1).map(\.id), is: [ids[0]], "up to the limit")
            app.haltedTypes = [:]
            try ledger.update(unrecorded: app)
            try require(
                ledger.dueActivities(at: .after(9), limit: 2).map(\.id), is: [ids[0], ids[2]], "half is for others")
        },
        LedgerCheck("What is halted is not due: an app, a type or an activity") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let apps = [try rows.app("one"), try rows.app("two")]
            var activities: [Activity] = []
            for (index, type) in ["T", "U", nil, "T", "V"].enumerated() {
                var activity = try rows.activity("m\(index)", in: apps[index == 3 ? 1 : 0], type: type)
                activity.wake(at: .after(Int64(index + 1)))
                try ledger.update(activity)
                activities.append(activity)
            }
            func due() throws -> [Int] {
                let found = try ledger.dueActivities(at: .after(9), limit: 9).map(\.id)
                return found.compactMap { id in activities.firstIndex { $0.id == id } }
            }
            guard var app = try ledger.app(apps[0]) else { throw Violation("the app is gone") }
            app.haltedTypes = ["T": .after(1), "V": .after(2)]
            try ledger.update(unrecorded: app)
            try require(ledger.app(apps[0]), is: app, "kept with its types")
            try require(due(), is: [1, 3, 2], "without its own T and V, by turns")
            try require(ledger.nextDue(after: .after(0)), is: .after(2), "the next is not of them")
            activities[1].haltedAt = .after(0)
            try ledger.update(activities[1])
            try require(due(), is: [2, 3], "without a halted activity")
            try require(ledger.nextDue(after: .after(0)), is: .after(3), "the next is not that")
            app.haltedAt = .after(3)
            try ledger.update(unrecorded: app)
            try require(due(), is: [3], "without the whole app")
            try require(ledger.nextDue(after: .after(0)), is: .after(4), "the next is the other app's")
            (app.haltedAt, app.haltedTypes) = (nil, [:])
            try ledger.update(unrecorded: app)
            try require(due(), is: [0, 3, 2, 4], "when the app and its types are resumed")
        },
    ]
}

extension Tally {
    /// A tally with a value in each count of an operation.
    fileprivate static var counted: Tally {
        var tally = Tally()
        (tally.accepted, tally.refused, tally.unknown, tally.superseded) = (1, 2, 3, 4)
        (tally.broadcasts.accepted, tally.broadcasts.refused, tally.broadcasts.unknown) = (5, 6, 7)
        return tally
    }
}
