import APNSWire
import EyotContract
import EyotDomain

extension LedgerCheck {
    /// Returns a closure that makes a replica a member of the ring.
    private static func member(_ rows: ConformanceRows) -> (inout Replica) throws -> Void {
        { replica in
            let token = UpdateToken(
                token: try rows.token(UInt8(replica.ordinal % 200)), environment: .production, version: 3,
                setAt: .after(5))
            replica.phase = .live
            replica.token = token
            (replica.acceptedVersion, replica.alertedVersion, replica.lastSecond) = (4, 2, 1_700_000_001)
            replica.appearedAt = .after(7)
        }
    }

    private static func credited(_ page: inout RingPage) {
        page.taken += 1
        page.settled = page.taken
        (page.credit.accepted, page.credit.alerted, page.credit.lastSecond) = (9, 1, 1_700_000_077)
        page.credit.spacedSecond = 1_700_000_050
    }

    static let ring = [
        LedgerCheck("A page's languages are those of the phones that have said one") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let (activity, other) = (try rows.activity("one", in: app), try rows.activity("two", in: app))
            let second = RingPage.first(onPage: 2)
            let spoken = [(activity, 1, "de"), (activity, 2, nil), (activity, second, "fr"), (other, 1, "it")]
            var devices: [DeviceID] = []
            for (index, (activity, ordinal, language)) in spoken.enumerated() {
                var device = try rows.device("d\(index)", in: app)
                device.language = language
                try ledger.update(device)
                try rows.replica(ordinal, of: activity, on: device) { $0.phase = .waitingForToken }
                devices.append(device.id)
            }
            let first = RingPage.number(of: 1)
            try require(ledger.languages(onPage: first, of: activity.id), is: [1: "de"], "on the first page")
            try require(ledger.languages(onPage: 2, of: activity.id), is: [second: "fr"], "on another page")
            try require(ledger.languages(onPage: 3, of: activity.id), is: [:], "on a page without replicas")
            try require(
                ledger.devices(onPage: first, of: activity.id), is: [1: devices[0], 2: devices[1]], "on which devices")
            try require(ledger.devices(onPage: 2, of: activity.id), is: [second: devices[2]], "on another page's")
        },
        LedgerCheck("A page of the ring is kept whole, and a new one takes its place") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let activity = try rows.activity(in: rows.app())
            var page = RingPage(activity: activity.id, number: 2)
            try require(ledger.ringPage(2, of: activity.id), is: nil, "never taken")
            credited(&page)
            page.credit.isEnd = true
            try ledger.put(page)
            try require(ledger.ringPage(2, of: activity.id), is: page, "a page")
            page.taken += 1
            page.credit.isEnd = false
            try ledger.put(page)
            try require(ledger.ringPage(2, of: activity.id), is: page, "taken again")
            try require(ledger.ringPage(1, of: activity.id), is: nil, "its neighbour")
        },
        LedgerCheck("Pages on which somebody was passed over are recalled, and no others") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activities = [try rows.activity("one", in: app), try rows.activity("two", in: app)]
            for (activity, number, holds) in [(0, 0, true), (0, 1, false), (0, 2, true), (1, 0, true)] {
                var page = RingPage(activity: activities[activity].id, number: number)
                (page.seen, page.lookAt, page.hasWaitingReplicas, page.hasSkipped) = (7, .after(5), true, holds)
                try ledger.put(page)
                try require(ledger.ringPage(number, of: page.activity), is: page, "a page")
            }
            let ids = activities.map(\.id)
            try require(ledger.ringHasSkipped(of: ids[0]), is: true, "before")
            try ledger.recallRingPages(of: ids[0])
            try require(ledger.ringHasSkipped(of: ids[0]), is: false, "after")
            try require(ledger.ringHasSkipped(of: ids[1]), is: true, "another activity's")
            try require(ledger.ringPages(of: ids[0], notSeen: 0, after: -1, limit: 9), is: [0, 2], "unseen")
            let recalled = try [0, 2].map { try ledger.ringPage($0, of: ids[0]) }
            try require(recalled.map { $0?.lookAt }, is: [nil, nil], "what they wait for")
            try require(recalled.map { $0?.hasWaitingReplicas }, is: [false, false], "what they owe")
            try ledger.changeRingPages(of: ids[1], upTo: 0)
            try require(ledger.ringHasSkipped(of: ids[1]), is: false, "one that has changed")
        },
        LedgerCheck("A page that is left unseen keeps what else is known of it") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let activity = try rows.activity(in: rows.app())
            for number in 0...1 {
                var page = RingPage(activity: activity.id, number: number)
                credited(&page)
                (page.seen, page.lookAt, page.hasWaitingReplicas, page.changes) = (7, .after(5), true, 3)
                try ledger.put(page)
            }
            guard var page = try ledger.ringPage(0, of: activity.id) else { throw Violation("it is gone") }
            page.taken += 1
            try ledger.leaveUnseen(page)
            page.seen = RingPage.unseen
            try require(ledger.ringPage(0, of: activity.id), is: page, "a page that was taken")
            try require(ledger.ringPages(of: activity.id, notSeen: 0, after: -1, limit: 9), is: [0], "unseen ones")
            try require(ledger.ringPage(1, of: activity.id)?.seen, is: 7, "its neighbour")
        },
        LedgerCheck("Pages are found by what they have seen, and those to which something happens have seen nothing") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activity = try rows.activity(in: app)
            try require(ledger.lastRingPage(of: activity.id), is: nil, "no page yet")
            for (number, seen) in [(0, 7), (1, 5), (2, 5), (3, 9)] {
                var page = RingPage(activity: activity.id, number: number)
                page.seen = seen
                page.lookAt = number == 1 ? nil : .after(Int64(10 * number))
                page.hasWaitingReplicas = number < 3
                try ledger.put(page)
            }
            try require(ledger.lastRingPage(of: activity.id), is: 3, "the last one")
            let line = { (version: Int, number: Int, limit: Int) in
                try ledger.ringPages(of: activity.id, notSeen: version, after: number, limit: limit)
            }
            try require(line(9, -1, 10), is: [0, 1, 2], "who has not seen that much")
            try require(line(9, 0, 1), is: [1], "from a page on")
            try require(line(6, -1, 10), is: [1, 2], "who has not seen half as much")
            try require(line(5, -1, 10), is: [], "all have seen it")
            try require(line(0, -1, 10), is: [], "nothing has happened to any")
            try require(ledger.nextRingLook(of: activity.id, from: 0), is: .after(0), "the next one's time")
            try require(ledger.nextRingLook(of: activity.id, from: 9), is: .after(30), "of those that have seen more")
            let behind = { (version: Int, limit: Int) in
                try ledger.ringPagesBehind(of: activity.id, newest: version, limit: limit)
            }
            try require(behind(10, 9), is: [0, 1, 2, 3], "those that have not seen that much")
            try require(behind(5, 9), is: [0, 1, 2], "those that have seen enough, and owe")
            try require(behind(10, 2), is: [0, 1], "up to a limit")
            try require(ledger.ringOwes(of: activity.id, from: 7), is: true, "one that has seen enough owes")
            try require(ledger.ringOwes(of: activity.id, from: 8), is: false, "none that has seen more owes")
            try ledger.wakeRingPages(of: activity.id, at: .after(20))
            try require(line(5, -1, 10), is: [0, 2], "their time has come")
            try require(line(0, -1, 10), is: [0, 2], "they are unseen")
            try require(line(0, 0, 10), is: [2], "unseen from a page on")
            try require(ledger.nextRingLook(of: activity.id, from: 0), is: .after(30), "the one that is left")
            try require(ledger.ringOwes(of: activity.id, from: 0), is: true, "one that was seen still owes")
            let device = try rows.device("a", in: app)
            try rows.replica(1_001, of: activity, on: device, member(rows))
            try require(line(0, -1, 10), is: [0, 1, 2], "one came")
            try require(line(0, -1, 2), is: [0, 1], "as many as were asked for")
            try require(ledger.ringPage(1, of: activity.id)?.changes, is: 1, "and was counted")
            try require(
                ledger.ringOwes(of: activity.id, from: 0), is: false, "what is owed on an unseen page is not known")
            for number in 0...3 {
                var page = RingPage(activity: activity.id, number: number)
                (page.seen, page.hasWaitingReplicas) = (9, true)
                try ledger.put(page)
            }
            try ledger.changeRingPages(of: activity.id, upTo: 1)
            try require(line(9, -1, 10), is: [0, 1], "those up to a page have changed")
            try require(ledger.ringPage(1, of: activity.id)?.changes, is: 1, "and were counted")
            try require(
                ledger.ringPage(1, of: activity.id)?.hasWaitingReplicas, is: false, "and owe nothing that is known")
            try require(
                ledger.ringPage(2, of: activity.id)?.hasWaitingReplicas, is: true, "the others are as they were")
        },
        LedgerCheck("A page's members and exceptions are told apart, and others are neither") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let device = try rows.device("a", in: app)
            let activity = try rows.activity(in: app)
            // Members are on the first page, which ends at 1,000, and one is on the next.
            for ordinal in 1...1_001 {
                try rows.replica(ordinal, of: activity, on: device) { replica in
                    try member(rows)(&replica)
                    if ordinal == 2 { (replica.scopedState, replica.scopedAlert) = (5, 4) }
                    if ordinal == 3 { replica.blockedVersion = 5 }
                    if (4...999).contains(ordinal) { replica.phase = .ended }
                }
            }
            let members = try ledger.ringMembers(onPage: 0, of: activity.id)
            let expected = RingMembers.Member(
                ordinal: 1, joined: 1, accepted: 4, alerted: 2, scoped: 0, scopedAlert: 0, lastSecond: 1_700_000_001,
                tokenVersion: 3,
                environment: .production, tokenSetAt: .after(5), expiresAt: Instant.after(7) + Replica.cardLifetime)
            try require(members.members.map(\.ordinal), is: [1, 2, 1_000], "members")
            try require(members.members.first, is: expected, "a member")
            let stand = RingStand(accepted: 4, alerted: 2, scoped: 5, scopedAlert: 4)
            try require(members.members.dropFirst().first?.stand, is: stand, "how far the second one is")
            try require(members.withTokens { Array($0[2]) }, is: rows.token(0).bytes, "the last one's token")
            try require(ledger.exceptions(onPage: 0, of: activity.id).map(\.ordinal), is: [3], "exceptions")
            let next = try ledger.ringMembers(onPage: 1, of: activity.id)
            try require(next.members.map(\.ordinal), is: [1_001], "the next page")
        },
        LedgerCheck("What a page brought stands in its members, and in nobody who changed since it was taken") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let device = try rows.device("a", in: app)
            let activity = try rows.activity(in: app)
            for ordinal in 1...4 {
                try rows.replica(ordinal, of: activity, on: device, instance: "i\(ordinal)") { replica in
                    try member(rows)(&replica)
                    if ordinal == 4 { replica.scopedState = 12 }
                }
            }
            var page = RingPage(activity: activity.id, number: 0)
            page.taken = 1
            try ledger.put(page)
            var (changed, left) = (
                try ledger.replica(2, of: activity.id), try ledger.replica(3, of: activity.id)
            )
            changed?.token?.version = 4
            left?.blockedVersion = 8
            for replica in [changed, left].compactMap(\.self) { try ledger.update(replica) }
            try require(Set(ledger.strangers(onPage: page)), is: [2, 3], "who is no member any more, or anew")
            page.settled = 1
            (page.credit.accepted, page.credit.alerted, page.credit.lastSecond) = (9, 1, 1_700_000_077)
            page.credit.spacedSecond = 1_700_000_050
            try ledger.put(page)
            let found = try ledger.replicas(of: activity.id, after: 0, limit: 10)
            try require(found.map(\.acceptedVersion), is: [9, 4, 4, 12], "accepted")
            try require(found.map(\.alertedVersion), is: [2, 2, 2, 2], "alerts are never taken back")
            try require(Set(found.map(\.newestSecond)), is: [1_700_000_077], "the last second is everybody's")
            let spaced = [50, 1, 1, 50].map { 1_700_000_000 + $0 }
            try require(found.map(\.lastSecond), is: spaced, "from when the next updates are spaced")
            try require(
                ledger.replica(ofInstance: "i1", on: device.id)?.acceptedVersion, is: 9, "found by its instance")
            try require(
                ledger.exceptions(onPage: 0, of: activity.id).first?.newestSecond, is: 1_700_000_077, "exception")
            // The credit counts from the next time on.
            page.taken = 2
            page.settled = 2
            page.credit.accepted = 10
            try ledger.put(page)
            try require(ledger.replica(2, of: activity.id)?.acceptedVersion, is: 10, "the next time")
        },
        LedgerCheck("A member that its page has ended is ended, until its own row says something else") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let device = try rows.device("a", in: app)
            let activity = try rows.activity(in: app)
            try rows.replica(1, of: activity, on: device, instance: "i", member(rows))
            var page = RingPage(activity: activity.id, number: 0)
            credited(&page)
            page.credit.isEnd = true
            try ledger.put(page)
            guard var replica = try ledger.replica(1, of: activity.id) else { throw Violation("it is gone") }
            try require(replica.phase, is: .ended, "its phase")
            let running = try ledger.runningReplicas(of: device.id, type: ConformanceRows.type, in: app)
            try require(running.map(\.ordinal), is: [], "it does not run")
            try require(
                ledger.ringMembers(onPage: 0, of: activity.id).members.count, is: 1, "its own row knows nothing")
            replica.phase = .live
            try ledger.update(replica)
            try require(ledger.replica(1, of: activity.id)?.phase, is: .live, "it runs on")
        },
    ]
}
