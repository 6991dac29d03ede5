import EyotDomain

extension LedgerCheck {
    static let members = [
        LedgerCheck("A list of members is kept whole, whatever it is for") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activity = try rows.activity(in: app)
            var terms = StartTerms(
                attributesVersion: 3, isScoped: true, alerted: 4, startsAt: .after(9), isForced: false,
                restartsDismissed: true)
            terms.asOf = .after(-3)
            var lists: [MemberList] = []
            for purpose in [MemberList.Purpose.scope, .start(terms), .pendingStarts(first: 8)] {
                var list = MemberList(
                    app: app, activity: activity.id, version: 2, operation: 7, purpose: purpose, acceptedAt: .after(1))
                list.processed = 5
                let stored = try ledger.insert(list, members: MemberRuns.chunks(of: [6, 7, 9]))
                list.id = stored.id
                try require(stored, is: list, "what the ledger answers")
                try require(ledger.memberLists(after: list.id - 1, limit: 9), is: [list], "what is there")
                lists.append(list)
            }
            try require(ledger.memberLists(of: activity.id, limit: 9), is: lists, "the activity's")
            try require(ledger.memberLists(of: activity.id, limit: 2), is: Array(lists.prefix(2)), "up to a limit")
            try require(ledger.memberLists(of: rows.activity("other", in: app).id, limit: 9), is: [], "another's")
            try require(ledger.memberLists(after: 0, limit: 1).count, is: 1, "up to a limit")
            try require(ledger.memberLists(of: app, after: 0, limit: 9), is: lists, "the app's")
            try require(ledger.memberLists(of: app, after: lists[0].id, limit: 1), is: [lists[1]], "the app's next")
            try require(ledger.memberLists(of: rows.app("third"), after: 0, limit: 9), is: [], "another app's lists")
            try require(ledger.memberListCount(of: app, limit: 9), is: 3, "how many")
            try require(ledger.memberListCount(of: app, limit: 1), is: 1, "how many, up to a limit")
            try require(ledger.memberListCount(of: rows.app("other"), limit: 9), is: 0, "another app's")
        },
        LedgerCheck("Members are told in their order, over the ends of chunks, until nobody is left") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activity = try rows.activity(in: app)
            let members = (1...Int64(MemberRuns.capacity) + 5).map { $0 * 2 }
            var list = MemberList(
                app: app, activity: activity.id, version: 2, operation: 7, purpose: .scope, acceptedAt: .after(1))
            list = try ledger.insert(list, members: MemberRuns.chunks(of: members))
            var told: [Int64] = []
            while let last = try ledger.pending(of: list, limit: 1_000).last {
                told += try ledger.pending(of: list, limit: 1_000)
                list.processed = last
                try ledger.update(list)
            }
            try require(told, is: members, "who was told")
            try ledger.remove(list)
            try require(ledger.memberLists(after: 0, limit: 9), is: [], "what is left")
        },
        LedgerCheck("Ordinals of an audience are those of its devices in one activity") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let (final, other) = (try rows.activity(in: app), try rows.activity("other", in: app))
            try ledger.put(User(app: app, externalID: "u", tags: ["fans"]))
            let (fan, stranger) = (try rows.device("a", in: app, user: "u"), try rows.device("b", in: app))
            for (ordinal, device) in [(1, stranger), (2, fan), (3, fan)] {
                try rows.replica(ordinal, of: final, on: device)
            }
            try rows.replica(1, of: other, on: fan)
            let fans = try ledger.ordinals(of: final.id, in: .tag("fans"), of: app, limit: 9)
            try require(fans.sorted(), is: [2, 3], "the fan's cards")
            try require(ledger.ordinals(of: final.id, in: .all, of: app, limit: 2).count, is: 2, "up to a limit")
            try require(ledger.deviceIDs(in: .all, of: app, limit: 9), is: [fan.id, stranger.id], "devices")
            try require(ledger.deviceIDs(in: .tag("fans"), of: app, limit: 9), is: [fan.id], "fans")
            try require(ledger.deviceIDs(in: .all, of: app, limit: 1), is: [fan.id], "devices up to a limit")
            try require(
                ledger.deviceIDs(in: .all, of: app, after: fan.id, limit: 9), is: [stranger.id], "devices after one")
            for audience in [Audience.tag("fans"), .user("u"), .not(.device(stranger.id)), .and([])] {
                try require(ledger.isMember(fan.id, of: audience, in: app), is: true, "the fan, in \(audience)")
            }
            try require(ledger.isMember(stranger.id, of: .tag("fans"), in: app), is: false, "no fan")
            try require(ledger.isMember(fan.id, of: .all, in: rows.app("other")), is: false, "another app's")
            // The largest possible audience works for a single device too.
            let selectors = (1...Audience.resolvedSelectorLimit).map { Audience.tag("t\($0)") }
            let deep = (2...Audience.resolvedDepthLimit).reduce(Audience.tag("fans")) { inner, _ in .and([inner]) }
            try require(ledger.isMember(fan.id, of: .not(.or(selectors)), in: app), is: true, "very many selectors")
            try require(ledger.isMember(fan.id, of: deep, in: app), is: true, "very deep")
        },
    ]
}
