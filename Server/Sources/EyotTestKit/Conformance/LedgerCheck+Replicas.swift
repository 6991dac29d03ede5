import APNSWire
import EyotContract
import EyotDomain

extension LedgerCheck {
    /// Every phase with its reasons.
    private static let phases: [Replica.Phase] =
        [
            .starting, .waitingForToken, .live, .ended, .dismissed, .untracked,
            .dead(TokenDeath(reason: .badDeviceToken, isQuarantine: true)),
        ] + APNSReason.allCases.map { .dead(TokenDeath(reason: $0, isQuarantine: false)) }
        + StartFailure.allCases.map { .notStarted($0) }

    private static func complete(_ replica: inout Replica, _ index: Int, _ token: PushToken) {
        let number = index + 1
        var lease = Lease(state: Lease.State.allCases[index % 4], version: number)
        if index % 3 > 0 { lease.sentAt = .after(Int64(index)) }
        lease.suspicion = index % 5 == 0 ? .badDeviceToken : nil
        lease.cancellation = [nil, .dismissed, .otherPerson][index % 3]
        replica.lease = lease
        replica.token = UpdateToken(
            token: token, environment: index % 2 == 0 ? .sandbox : .production, version: number, setAt: .after(2),
            suspicion: index % 2 == 1 ? .deviceTokenNotForTopic : nil)
        (replica.scopedState, replica.scopedAlert, replica.acceptedVersion) = (number, number + 1, number + 2)
        (replica.alertedVersion, replica.blockedVersion, replica.lastSecond) = (
            number + 3, number + 4, 1_700_000_000 + number
        )
        replica.scopedAsOf = index % 2 == 0 ? .after(9) : nil
        replica.blockedReason = .payloadTooLarge
        replica.ending = [nil, .replaced, .declared(version: number)][index % 3]
        replica.appearedAt = index % 2 == 0 ? .after(7) : nil
        replica.origin = Replica.Origin.allCases[index % 3]
        replica.isPardoned = index % 4 == 0
        replica.isSparing = index % 2 == 0
        replica.following = [.channel(edition: 1), .lostChannel, .none, .channel(edition: 3)][index % 4]
        replica.locallyChanged = index % 3 == 0 ? number : nil
        replica.removal = ([nil] + Removal.allCases)[index % 4]
        replica.keeping =
            index % 3 == 1 ? Keeping(state: number, asOf: index % 2 == 0 ? .after(3) : nil, until: 9) : nil
        replica.retry = Retry(
            attempts: 3, notBefore: .after(1), version: index % 2 == 0 ? number : nil,
            reason: index % 3 == 0 ? .serviceUnavailable : nil)
    }

    static let replicas = [
        LedgerCheck("A replica is kept whole in every phase") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let device = try rows.device("a", in: app)
            let activity = try rows.activity(in: app)
            for (index, phase) in phases.enumerated() {
                var replica = try rows.replica(index + 1, of: activity, on: device)
                try require(ledger.replica(index + 1, of: activity.id), is: replica, "replica \(index + 1), bare")
                complete(&replica, index, try rows.token(9))
                replica.phase = phase
                replica.instance = "i\(index)"
                try ledger.update(replica)
                try require(ledger.replica(index + 1, of: activity.id), is: replica, "\(phase)")
            }
        },
        LedgerCheck("A device's remote starts are found by when they leave, in whatever activity") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let (device, other) = (try rows.device("a", in: app), try rows.device("b", in: app))
            let activities = [try rows.activity(in: app), try rows.activity("n", in: app)]
            // Replicas with even ordinals are started remotely, each its ordinal in microseconds after now.
            for ordinal in 1...6 {
                for activity in activities { try rows.replica(ordinal, of: activity, on: device) }
            }
            try rows.replica(8, of: activities[0], on: other)
            func starts(_ earliest: Int64, _ latest: Int64, limit: Int = 9) throws -> [Int] {
                try ledger.remoteStarts(of: device.id, after: .after(earliest), before: .after(latest), limit: limit)
                    .map(\.ordinal).sorted()
            }
            try require(starts(0, 99), is: [2, 2, 4, 4, 6, 6], "all")
            try require(starts(2, 6), is: [4, 4], "in between")
            try require(starts(0, 99, limit: 3).count, is: 3, "up to the limit")
        },
        LedgerCheck("Replicas are read page by page in the order of their ordinals") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let device = try rows.device("a", in: app)
            let (activity, other) = (try rows.activity(in: app), try rows.activity("n", in: app))
            for ordinal in 1...7 {
                try rows.replica(ordinal, of: activity, on: device)
                try rows.replica(ordinal, of: other, on: device)
            }
            let page = try ledger.replicas(of: activity.id, after: 2, limit: 3)
            try require(page.map(\.ordinal), is: [3, 4, 5], "a page")
            try require(Set(page.map(\.activity)), is: [activity.id], "of this activity")
            try require(ledger.replicas(of: activity.id, after: 5, limit: 9).map(\.ordinal), is: [6, 7], "the last")
            try require(ledger.replica(8, of: activity.id), is: nil, "an ordinal that is not there")
        },
        LedgerCheck("A device's replicas of a name come newest generation first, and none of another app's") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let (device, other) = (try rows.device("a", in: one), try rows.device("b", in: one))
            let generations = try (1...3).map { try rows.activity(in: one, generation: $0) }
            try rows.replica(1, of: generations[0], on: device)
            try rows.replica(1, of: generations[2], on: other)
            try rows.replica(2, of: generations[2], on: device)
            try rows.replica(3, of: generations[2], on: device)
            try rows.replica(1, of: try rows.activity("n", in: one), on: device)
            let found = try ledger.replicas(of: device.id, named: "m", in: one)
            try require(found.map(\.activity), is: [2, 2, 0].map { generations[$0].id }, "generations")
            try require(found.map(\.ordinal), is: [2, 3, 1], "ordinals")
            try require(ledger.replicas(of: device.id, named: "m", in: two), is: [], "asked for in another app")
        },
        LedgerCheck("A card is found by its instance on its own device alone") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let (device, other) = (try rows.device("a", in: app), try rows.device("b", in: app))
            let activity = try rows.activity(in: app)
            let replica = try rows.replica(1, of: activity, on: device, instance: "i")
            let foreign = try rows.replica(2, of: activity, on: other, instance: "i")
            try rows.replica(3, of: activity, on: device)
            try require(ledger.replica(ofInstance: "i", on: device.id), is: replica, "on the device")
            try require(ledger.replica(ofInstance: "i", on: other.id), is: foreign, "on the other")
            try require(ledger.replica(ofInstance: "j", on: device.id), is: nil, "another instance")
        },
        LedgerCheck("What may run is found by device, type and app") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app("one")
            let device = try rows.device("a", in: app)
            let activity = try rows.activity(in: app)
            for (index, phase) in phases.enumerated() {
                try rows.replica(index + 1, of: activity, on: device) { replica in
                    complete(&replica, 0, try rows.token(1))
                    replica.phase = phase
                }
            }
            try rows.replica(1, of: try rows.activity("n", in: app, type: "T"), on: device)
            try rows.replica(99, of: activity, on: try rows.device("b", in: app))
            let found = try ledger.runningReplicas(of: device.id, type: ConformanceRows.type, in: app)
            try require(found.map(\.phase), is: phases.filter(\.mayRun), "running")
            try require(ledger.runningReplicas(of: device.id, type: "U", in: app), is: [], "of another type")
            let foreign = try rows.app("two")
            try require(
                ledger.runningReplicas(of: device.id, type: ConformanceRows.type, in: foreign), is: [],
                "asked for in another app")
        },
        LedgerCheck("Suspects are found in their app, and starts without an answer everywhere") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            for name in ["one", "two"] {
                let app = try rows.app(name)
                let device = try rows.device("a", in: app)
                let activity = try rows.activity(in: app)
                for index in 0..<20 {
                    try rows.replica(index + 1, of: activity, on: device) { replica in
                        guard index > 0 else { return }
                        complete(&replica, index, try rows.token(1))
                        replica.phase = index == 2 ? phases[6] : .starting
                    }
                }
                let suspects = try ledger.suspectReplicas(in: app, limit: 99)
                try require(suspects.map(\.ordinal), is: [2, 3, 4, 6, 8, 10, 11, 12, 14, 16, 18, 20], "suspects")
                try require(Set(suspects.map(\.activity)), is: [activity.id], "of app \(name)")
                try require(ledger.suspectReplicas(in: app, limit: 3).count, is: 3, "up to the limit")
            }
            let unanswered = try ledger.unansweredStarts(limit: 99)
            try require(unanswered.map(\.ordinal), is: [2, 6, 10, 14, 18, 2, 6, 10, 14, 18], "without an answer")
            try require(ledger.unansweredStarts(limit: 7).count, is: 7, "up to the limit")
        },
        LedgerCheck("Dead replicas are found by activity and by device, up to the limit") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let (device, other) = (try rows.device("a", in: app), try rows.device("b", in: app))
            let activities = [try rows.activity(in: app), try rows.activity("n", in: app)]
            for activity in activities {
                for ordinal in 1...6 {
                    try rows.replica(ordinal, of: activity, on: ordinal == 5 ? other : device) { replica in
                        complete(&replica, ordinal, try rows.token(1))
                        replica.phase = phases[ordinal % 2 == 1 ? 6 + ordinal : 2]
                    }
                }
            }
            let dead = try ledger.deadReplicas(of: activities[0].id, after: 0, limit: 9)
            try require(dead.map(\.ordinal), is: [1, 3, 5], "of the activity")
            try require(Set(dead.map(\.activity)), is: [activities[0].id], "and of no other")
            let later = try ledger.deadReplicas(of: activities[0].id, after: 1, limit: 1)
            try require(later.map(\.ordinal), is: [3], "a page")
            let own = try ledger.deadReplicas(of: device.id, limit: 3)
            try require(own.map(\.ordinal), is: [3, 1, 3], "of the device")
            try require(own.map(\.activity), is: [1, 1, 0].map { activities[$0].id }, "newest activity first")
        },
        LedgerCheck("An app's activities are listed page by page") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let ids = try (1...4).map { try rows.activity("m\($0)", in: $0 == 2 ? two : one).id }
            try require(ledger.activities(of: one, after: ids[0], limit: 1), is: [ids[2]], "a page")
            try require(ledger.activities(of: one, after: ids[2], limit: 9), is: [ids[3]], "the last")
            try require(
                ledger.activities(of: two, after: ActivityID(rawValue: 0), limit: 9), is: [ids[1]], "the other's")
            try require(ledger.newestActivityNames(of: one, limit: 2), is: ["m4", "m3"], "the newest names")
        },
    ]
}
