import APNSWire
import EyotContract
import EyotDomain

extension LedgerCheck {
    static let channels = [
        LedgerCheck("A channel is kept with all that is known of it") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activity = try rows.activity(in: app)
            var channel = try rows.channel(of: activity)
            try require(ledger.channel(channel.id), is: channel, "as it was made")
            for (index, phase) in Channel.Phase.allCases.enumerated() where phase != .deleted {
                channel.phase = phase
                channel.apple = APNSChannelID("AAA\(index)")
                channel.reason = index % 2 == 0 ? .featureNotEnabled : nil
                (channel.accepted, channel.alerted, channel.lastSecond, channel.ends) = (index, 2, 3, 4)
                (channel.lastEndAt, channel.failures, channel.repeatAt) = (.after(5), 6, .after(9))
                (channel.startedAt, channel.startedWith) = (.after(4), 7)
                (channel.broadcastSecond, channel.slowedUntil) = (5, index % 2 == 0 ? nil : .after(6))
                channel.freeAt = phase == .resting ? .after(7) : nil
                channel.dueAt = index % 2 == 0 ? nil : .after(8)
                try ledger.update(channel)
                try require(ledger.channel(channel.id), is: channel, "in phase \(phase)")
            }
            try require(ledger.channel(ChannelID(rawValue: 99)), is: nil, "one that is not there")
        },
        LedgerCheck("Channels are found by activity and by app") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let (match, other) = (try rows.activity("m", in: one), try rows.activity("m", in: two))
            let sandbox = try rows.channel(of: match)
            let foreign = try rows.channel(of: other)
            let production = try rows.channel(of: match, in: .production)
            try require(ledger.channels(of: match.id), is: [production, sandbox], "of the activity")
            let none = ChannelID(rawValue: 0)
            try require(ledger.channels(in: one, after: none, limit: 9), is: [sandbox, production], "of the app")
            try require(ledger.channels(in: one, after: none, limit: 1), is: [sandbox], "up to the limit")
            try require(ledger.channels(in: one, after: sandbox.id, limit: 9), is: [production], "after an id")
            try require(ledger.channels(in: two, after: none, limit: 9), is: [foreign], "of the other app")
        },
        LedgerCheck("Of the channels that have rested the one that has longest is free, in its app and environment") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app("one")
            var resting: [Channel] = []
            for (index, free) in [30, 10, 20].enumerated() {
                resting.append(
                    try rows.channel(of: rows.activity("m\(index)", in: app)) { channel in
                        (channel.phase, channel.freeAt) = (.resting, .after(Int64(free)))
                        channel.apple = APNSChannelID("AAA\(index)")
                    })
            }
            _ = try rows.channel(of: rows.activity("wanted", in: app))
            try require(ledger.freeChannel(of: app, in: .sandbox, at: .after(9)), is: nil, "too soon")
            try require(ledger.freeChannel(of: app, in: .sandbox, at: .after(10)), is: resting[1], "the first")
            try require(ledger.freeChannel(of: app, in: .sandbox, at: .after(99)), is: resting[1], "the longest")
            try require(ledger.freeChannel(of: app, in: .production, at: .after(99)), is: nil, "elsewhere")
            try require(ledger.channelCount(of: app, in: .sandbox), is: 4, "how many there are")
            try require(ledger.channelCount(of: app, in: .production), is: 0, "elsewhere")
            try ledger.removeChannel(resting[0].id)
            try require(ledger.channelCount(of: app, in: .sandbox), is: 3, "without the removed one")
            try require(ledger.channel(resting[0].id), is: nil, "the removed one")
        },
        LedgerCheck("With an activity go the channels that it lost or never had, and not one that rests") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let activity = try rows.activity(in: rows.app())
            let lost = try rows.channel(of: activity) { ($0.phase, $0.dueAt) = (.lost, nil) }
            let rests = try rows.channel(of: activity, in: .production) { channel in
                (channel.phase, channel.freeAt) = (.resting, .after(1))
                channel.apple = APNSChannelID("AAAA")
            }
            let wanted = try rows.channel(of: activity, in: .production)
            try ledger.removeActivity(activity.id)
            try require(ledger.channel(lost.id), is: nil, "the lost one")
            try require(ledger.channel(wanted.id), is: nil, "the one that was not made")
            try require(ledger.channel(rests.id), is: rests, "the resting one")
        },
        LedgerCheck("Due channels come soonest first, and none of an app that is paused") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let apps = [try rows.app("one"), try rows.app("two"), try rows.app("paused")]
            var made: [Channel] = []
            for (index, wait) in [30, 10, 20, 5].enumerated() {
                let activity = try rows.activity("m\(index)", in: apps[index == 3 ? 2 : index % 2])
                made.append(try rows.channel(of: activity) { $0.dueAt = .after(Int64(wait)) })
            }
            _ = try rows.channel(of: rows.activity("idle", in: apps[0])) { $0.dueAt = nil }
            guard var paused = try ledger.app(apps[2]) else { throw Violation("the app is gone") }
            paused.pauses[.sandbox] = AppPause(reason: .badTopic, since: .after(0))
            try ledger.update(unrecorded: paused)
            func expect(
                _ due: [Channel], for errand: Channel.Errand, at time: Int64, limit: Int = 9, _ what: String
            ) throws {
                try require(
                    ledger.dueChannels(for: errand, at: .after(time), share: 9, limit: limit), is: due, what)
            }
            try expect([made[1], made[2], made[0]], for: .upkeep(.sandbox), at: 30, "due")
            try expect([made[1], made[2]], for: .upkeep(.sandbox), at: 30, limit: 2, "up to the limit")
            try expect([], for: .upkeep(.sandbox), at: 9, "before the first")
            try expect([], for: .upkeep(.production), at: 30, "elsewhere")
            try expect([], for: .broadcast(.sandbox), at: 30, "for cards")
            func between(_ errand: Channel.Errand, _ limit: Int = 9) throws -> [Channel] {
                try ledger.channelsDue(
                    for: errand, of: apps[0], after: .after(10), upTo: .after(30), limit: limit)
            }
            try require(between(.upkeep(.sandbox)), is: [made[2], made[0]], "between two moments")
            try require(between(.upkeep(.sandbox), 1), is: [made[2]], "the sooner of them")
            (made[2].phase, made[2].apple) = (.leased, APNSChannelID("AAAA"))
            try ledger.update(made[2])
            try require(between(.broadcast(.sandbox)), is: [made[2]], "for cards, between two moments")
            try expect([made[2]], for: .broadcast(.sandbox), at: 30, "for cards, once it is there")
            try expect([made[1], made[0]], for: .upkeep(.sandbox), at: 30, "without that")
            // Broadcasts continue in an environment without a pause.
            let elsewhere = try rows.channel(of: rows.activity("else", in: apps[2]), in: .production) { channel in
                (channel.phase, channel.apple, channel.dueAt) = (.leased, APNSChannelID("BBBB"), .after(25))
            }
            (made[3].phase, made[3].apple) = (.leased, APNSChannelID("CCCC"))
            try ledger.update(made[3])
            try expect([made[2]], for: .broadcast(.sandbox), at: 30, "for cards, without the paused app's")
            try expect([elsewhere], for: .broadcast(.production), at: 30, "in the other environment")
        },
        LedgerCheck("No broadcast is due of what is halted, until all there is to do is to end the lease") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            var made: [Channel] = []
            var activities: [Activity] = []
            for (index, type) in ["T", "U", nil, "V"].enumerated() {
                let activity = try rows.activity("m\(index)", in: app, type: type)
                activities.append(activity)
                made.append(
                    try rows.channel(of: activity) { channel in
                        (channel.phase, channel.apple) = (.leased, APNSChannelID("AAA\(index)"))
                        channel.dueAt = .after(Int64(index))
                    })
            }
            let hour = 3_600_000_000 as Int64
            func due(_ hours: Int64 = 1, for errand: Channel.Errand = .broadcast(.sandbox)) throws -> [Int] {
                try ledger.dueChannels(for: errand, at: .after(hours * hour), share: 9, limit: 9)
                    .compactMap(made.firstIndex)
            }
            guard var halted = try ledger.app(app) else { throw Violation("the app is gone") }
            halted.haltedTypes = ["T": .after(1), "V": .after(2)]
            try ledger.update(unrecorded: halted)
            try require(due(), is: [1, 2], "without halted types")
            activities[2].haltedAt = .after(0)
            (activities[3].end, activities[3].endedAt) = (1, .after(hour))
            for activity in activities[2...] { try ledger.update(activity) }
            try require(due(), is: [1], "without a halted activity")
            try require(due(12), is: [1], "while the end may be sent yet")
            try require(due(13), is: [1, 3], "when the lease is over")
            made[0].phase = .wanted
            try ledger.update(made[0])
            try require(due(for: .upkeep(.sandbox)), is: [0], "what is made, be it halted or not")
            halted.haltedTypes = [:]
            try ledger.update(unrecorded: halted)
            try require(due(), is: [1, 3], "when the types are resumed")
        },
        LedgerCheck("Due channels come by turns of their apps, each with its share") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let apps = [try rows.app("one"), try rows.app("two")]
            for errand in [Channel.Errand.broadcast(.sandbox), .upkeep(.sandbox)] {
                var made: [Channel] = []
                for (index, wait) in [1, 2, 3, 9].enumerated() {
                    let activity = try rows.activity("\(errand) \(index)", in: apps[index / 3])
                    made.append(
                        try rows.channel(of: activity) { channel in
                            channel.dueAt = .after(Int64(wait))
                            guard errand == .broadcast(.sandbox) else { return }
                            (channel.phase, channel.apple) = (.leased, APNSChannelID("AAA\(index)"))
                        })
                }
                func due(share: Int, limit: Int) throws -> [Int] {
                    try ledger.dueChannels(for: errand, at: .after(9), share: share, limit: limit)
                        .compactMap(made.firstIndex)
                }
                try require(due(share: 9, limit: 9), is: [0, 3, 1, 2], "\(errand), by turns")
                try require(due(share: 9, limit: 2), is: [0, 3], "\(errand), up to the limit")
                try require(due(share: 2, limit: 9), is: [0, 3, 1], "\(errand), up to the share")
            }
        },
    ]
}

extension ConformanceRows {
    func channel(
        of activity: Activity, in environment: PushEnvironment = .sandbox, _ change: (inout Channel) -> Void = { _ in }
    ) throws -> Channel {
        var channel = Channel(
            id: ChannelID(rawValue: 0), app: activity.app, environment: environment, activity: activity.id,
            wantedAt: Self.now)
        change(&channel)
        return try ledger.insert(channel)
    }
}
