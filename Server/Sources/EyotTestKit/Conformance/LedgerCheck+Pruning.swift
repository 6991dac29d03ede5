import EyotContract
import EyotDomain

extension LedgerCheck {
    /// Inserts an operation that was accepted at this moment.
    private static func accept(
        _ moment: Instant, pending: Int = 0, in app: AppID, _ ledger: any Ledger
    ) throws -> Int64 {
        var operation = Operation(
            app: app, verb: .end, name: "m", activity: nil, generation: 1, version: 1, outcome: .applied,
            acceptedAt: moment)
        operation.pending = pending
        return try ledger.insert(operation).id
    }

    static let pruning = [
        LedgerCheck(
            "Operations are removed from the oldest on, of those that are old enough, and ids are not given again"
        ) {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let ids = try [1, 2, 3, 9, 4].map { try accept(.after($0), in: app, ledger) }
            try require(ledger.removeOperations(acceptedBefore: .after(3), limit: 1), is: 1, "one at a time")
            try require(ledger.operation(ids[0], in: app), is: nil, "the oldest")
            try require(ledger.removeOperations(acceptedBefore: .after(3), limit: 9), is: 1, "the rest")
            try require(ledger.removeOperations(acceptedBefore: .after(8), limit: 9), is: 2, "those in between")
            try require(ledger.operation(ids[3], in: app)?.id, is: ids[3], "one that is too young")
            try require(ledger.removeOperations(acceptedBefore: .after(10), limit: 9), is: 1, "all")
            try require(accept(.after(11), in: app, ledger) > ids[4], "an id was given again")
        },
        LedgerCheck("Operations that a clock dated ahead, or whose members wait, keep no others from being removed") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            for moment in [50, 60, 70] as [Int64] { _ = try accept(.after(moment), in: app, ledger) }
            let waiting = try accept(.after(1), pending: 5, in: app, ledger)
            let ids = try [3, 2].map { try accept(.after($0), in: app, ledger) }
            try require(ledger.removeOperations(acceptedBefore: .after(9), limit: 1), is: 1, "the oldest")
            try require(ledger.operation(ids[1], in: app), is: nil, "what was accepted first")
            try require(ledger.removeOperations(acceptedBefore: .after(9), limit: 2), is: 1, "the rest")
            try require(ledger.operation(waiting, in: app)?.id, is: waiting, "one whose members wait")
            try require(ledger.removeOperations(acceptedBefore: .after(61), limit: 9), is: 2, "in their time")
        },
        LedgerCheck("An ended activity is removed from its last replica to its name, and its operations stay") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let device = try rows.device("a", in: app)
            var (old, young) = (try rows.activity("old", in: app), try rows.activity("young", in: app))
            _ = try rows.activity("open", in: app)
            for ordinal in 1...5 { try rows.replica(ordinal, of: old, on: device) }
            try ledger.put(RingPage(activity: old.id, number: 0))
            for _ in 1...3 { try ledger.insert(old.declare(.state, Content(state: [:]), at: .after(0))) }
            for (index, activity) in [young, old].enumerated() {
                var activity = activity
                try ledger.insert(activity.declare(.end, Content(), at: .after(Int64(9 - index))))
                try ledger.update(activity)
                if index == 0 { young = activity } else { old = activity }
            }
            let operation = try ledger.insert(
                Operation(
                    app: app, verb: .end, name: "old", activity: old.id, generation: 1, version: 4, outcome: .applied,
                    acceptedAt: .after(9)))
            try require(ledger.endedActivities(before: .after(8), limit: 9), is: [], "none has ended so long ago")
            try require(ledger.endedActivities(before: .after(10), limit: 1), is: [old.id], "the first to end")
            try require(ledger.endedActivities(before: .after(10), limit: 9), is: [old.id, young.id], "both")
            try require([3, 3, 3].map { try ledger.removeReplicas(of: old.id, limit: $0) }, is: [3, 2, 0], "replicas")
            try require(
                [3, 3].map { try ledger.removeDeclarations(of: old.id, limit: $0) }, is: [3, 1], "declarations")
            try ledger.removeActivity(old.id)
            try require(ledger.activity(old.id), is: nil, "the activity")
            try require(ledger.ringPage(0, of: old.id), is: nil, "its page of the ring")
            try require(ledger.operation(operation.id, in: app), is: operation, "what was asked of it")
            try require(try rows.activity("new", in: app).id.rawValue > young.id.rawValue + 1, "an id was given again")
        },
        LedgerCheck("Activities, declarations and devices are walked in the order of their ids, and removed one by one")
        {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            var activity = try rows.activity("a", in: one)
            let other = try rows.activity("b", in: two)
            try require(
                ledger.activities(after: ActivityID(rawValue: 0), limit: 1).map(\.id), is: [activity.id], "the first")
            try require(ledger.activities(after: activity.id, limit: 9).map(\.id), is: [other.id], "of all apps")
            for number in 1...4 {
                try ledger.insert(activity.declare(.state, Content(state: [:]), at: .after(Int64(number))))
            }
            try ledger.removeDeclaration(2, of: activity.id)
            try require(
                ledger.declarations(of: activity.id, after: 1, limit: 9).map(\.version), is: [3, 4], "what is left")
            let devices = try [rows.device("a", in: one), rows.device("b", in: two), rows.device("c", in: one)]
            try rows.replica(1, of: activity, on: devices[0])
            try ledger.setSecret(SecretHash(bytes: [7]), of: devices[1].id)
            try require(ledger.devices(after: devices[0].id, limit: 1), is: [devices[1]], "the next")
            for device in devices { try ledger.removeDevice(device.id) }
            try require(
                ledger.devices(after: DeviceID(rawValue: 0), limit: 9), is: [devices[0]], "one that has replicas stays")
            try require(ledger.device(secret: SecretHash(bytes: [7])), is: nil, "the secret of one that is gone")
            try require(try rows.device("b", in: two).id.rawValue > devices[2].id.rawValue, "an id was given again")
        },
    ]
}
