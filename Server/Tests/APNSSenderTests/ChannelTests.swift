import APNSSender
import APNSSimulator
import APNSWire
import EyotContract
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct ChannelTests {
    private func channels(_ rig: Rig, _ environment: PushEnvironment = .sandbox) -> APNSChannels {
        rig.sender.channels(of: Rig.bundleID, in: environment, key: rig.key)
    }

    @Test func `channels are made, read, listed and deleted over one connection`() async throws {
        let rig = try await Rig()
        let channels = channels(rig)
        let first = try await channels.create(storing: .none)
        let second = try await channels.create(storing: .mostRecent)
        #expect(try await channels.description(of: first) == APNSChannelDescription(storage: .none))
        #expect(try await channels.description(of: second) == APNSChannelDescription(storage: .mostRecent))
        #expect(try await channels.all() == [first, second])
        try await channels.delete(first)
        #expect(try await channels.all() == [second])
        #expect(try await self.channels(rig, .production).all().isEmpty)
        let requests = rig.simulator.requests().filter { $0.endpoint == APNSEndpoint(.channels, .sandbox) }
        #expect(Set(requests.map(\.connection)).count == 1)
        await rig.stop()
    }

    @Test func `what Apple refuses comes back with its reason, and the next request goes on`() async throws {
        let rig = try await Rig(simulator: { $0.limits.channels = 1 })
        let channels = channels(rig)
        let unknown = try #require(APNSChannelID("dHN0LXNyY2gtY2hubA=="))
        await #expect(throws: APNSChannelError.refused(.channelNotRegistered)) { try await channels.delete(unknown) }
        _ = try await channels.create(storing: .none)
        await #expect(throws: APNSChannelError.refused(.cannotCreateChannelConfig)) {
            try await channels.create(storing: .none)
        }
        await #expect(throws: APNSChannelError.refused(.topicMismatch)) {
            try await rig.sender.channels(of: "com.example.none", in: .sandbox, key: rig.key).all()
        }
        #expect(try await channels.all().count == 1)
        await rig.stop()
    }

    @Test func `a list longer than a window comes whole`() async throws {
        let rig = try await Rig()
        let channels = channels(rig)
        var made: [APNSChannelID] = []
        for _ in 0..<3_000 { made.append(try await channels.create(storing: .none)) }
        #expect(try await channels.all() == made)
        await rig.stop()
    }

    @Test func `many at once wait for their turn, each gets its own answer`() async throws {
        let rig = try await Rig()
        let channels = channels(rig)
        let made = try await withThrowingTaskGroup(of: APNSChannelID.self) { group in
            for _ in 0..<20 { group.addTask { try await channels.create(storing: .none) } }
            return try await group.reduce(into: Set<APNSChannelID>()) { $0.insert($1) }
        }
        #expect(made.count == 20)
        #expect(try await Set(channels.all()) == made)
        await rig.stop()
    }

    @Test func `whether a channel was made is unknown where no answer came, and nothing is sent twice`() async throws {
        let clock = ManualClock()
        let rig = try await Rig(sender: { $0.clock = clock })
        let channels = channels(rig)
        rig.simulator.faults(of: .channels).enqueue([.answerLost])
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: APNSChannelError.unknown("no answer within 300.0 seconds")) {
                    try await channels.create(storing: .none)
                }
            }
            // Apple has done it before its time is up.
            await clock.waitForSleepers(1)
            while rig.simulator.requestCount == 0, !Task.isCancelled { await Task.yield() }
            clock.advance(by: .seconds(300))
        }
        let listed = try await channels.all()
        #expect(listed == rig.simulator.channels(of: Rig.bundleID, in: .sandbox))
        #expect(listed.count == 1)
        let creations = rig.simulator.requests().filter { $0.headers.contains { $0 == (":method", "POST") } }
        #expect(creations.count == 1)
        await rig.stop()
    }

    @Test(
        "What provably was not done is told apart from what may have been",
        arguments: [
            (PushFault(.reset(.refusedStream), isDelivered: false), true),
            (PushFault(.reset(.internalError), isDelivered: true), false),
            (PushFault(.closed, isDelivered: true), false),
            // A goodbye would promise as much as REFUSED_STREAM; NIO does not tell it from a stream that was cancelled.
            (PushFault(.goAway(includingThis: false, .shutdown), isDelivered: false), false),
        ])
    func fate(_ fault: PushFault, isKnown: Bool) async throws {
        let rig = try await Rig()
        let channels = channels(rig)
        _ = try await channels.all()
        rig.simulator.faults(of: .channels).enqueue([fault])
        let error = await #expect(throws: APNSChannelError.self) { try await channels.create(storing: .none) }
        switch error {
        case .notProcessed: #expect(isKnown)
        case .unknown: #expect(!isKnown)
        default: Issue.record("not an answer of Apple's: \(String(describing: error))")
        }
        #expect(try await channels.all().count == (fault.isDelivered ? 1 : 0))
        await rig.stop()
    }

    @Test func `pushes, broadcasts and channels share one provider token`() async throws {
        let rig = try await Rig()
        let channel = try await channels(rig).create(storing: .none)
        _ = await rig.sender.send(Rig.page(1), key: rig.key)
        _ = await rig.sender.send(Rig.broadcast(to: [channel]), key: rig.key)
        let shown = rig.simulator.requests().compactMap { $0.headers.first { $0.name == "authorization" }?.value }
        #expect(shown.count == 3)
        #expect(Set(shown).count == 1)
        await rig.stop()
    }

    @Test func `an expired provider token is replaced, on a new connection`() async throws {
        let ahead = SharedTime(Rig.start.addingTimeInterval(40 * 60))
        let rig = try await Rig(simulatorTime: ahead, simulator: { $0.rules.wedgesAfterExpiredToken = true })
        let channels = channels(rig)
        _ = try await channels.all()
        rig.time.advance(by: 25 * 60)
        ahead.advance(by: 25 * 60)
        await #expect(throws: APNSChannelError.refused(.expiredProviderToken)) { try await channels.all() }
        #expect(try await channels.all().isEmpty)
        await rig.stop()
    }

    @Test func `a service that cannot be reached is told so, and one that was shut down takes nothing`() async throws {
        let rig = try await Rig()
        let channels = channels(rig)
        await rig.simulator.shutdown()
        let error = await #expect(throws: APNSChannelError.self) { try await channels.all() }
        #expect(error?.description.hasPrefix("Apple was not reached: no connection") == true)
        await rig.sender.shutdown()
        await #expect(throws: APNSChannelError.notProcessed("the sender was shut down")) { try await channels.all() }
        await #expect(throws: APNSChannelError.notProcessed("the sender was shut down")) {
            try await self.channels(rig).all()
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct BroadcastTests {
    @Test func `a broadcast goes to each channel of a page, in the second in which it leaves`() async throws {
        let rig = try await Rig()
        let channels = rig.sender.channels(of: Rig.bundleID, in: .production, key: rig.key)
        let made = [try await channels.create(storing: .none), try await channels.create(storing: .none)]
        rig.time.advance(by: 59.9)
        let result = await rig.sender.send(Rig.broadcast(to: made, in: .production), key: rig.key)
        #expect(result.verdicts == [.accepted, .accepted])
        let heard = rig.phones.heard
        #expect(heard.map(\.channel) == made)
        #expect(Set(heard.map(\.payload)) == [Rig.payload(at: Rig.start.addingTimeInterval(59))])
        #expect(heard.map(\.id) == (0..<2).map { APNSID(high: 0x4000, low: 1 << 63 | $0).description })
        let record = try #require(rig.simulator.requests().last)
        #expect(record.endpoint == APNSEndpoint(.broadcast, .production))
        let names = record.headers.map(\.name)
        #expect(!names.contains("apns-topic") && !names.contains("apns-id"))
        await rig.stop()
    }

    @Test func `a channel that is gone is refused, the others are not`() async throws {
        let rig = try await Rig()
        let channels = rig.sender.channels(of: Rig.bundleID, in: .sandbox, key: rig.key)
        let made = [try await channels.create(storing: .none), try await channels.create(storing: .none)]
        try await channels.delete(made[0])
        let result = await rig.sender.send(Rig.broadcast(to: made), key: rig.key)
        #expect(result.verdicts == [.refused(.channelNotRegistered), .accepted])
        await rig.stop()
    }
}

extension Rig {
    /// A page with a broadcast to each channel.
    static func broadcast(to channels: [APNSChannelID], in environment: PushEnvironment = .sandbox) -> PushPage {
        let (body, offset) = LiveActivityPayload(event: .update, contentState: ["home": 3, "away": 3]).render()
        let template = PushTemplate(
            topic: bundleID, priority: .immediate, expiration: 0, body: body, timestampOffset: offset)
        var page = PushPage(environment: environment, recipients: .channels, templates: [template])
        for (index, channel) in channels.enumerated() {
            page.append(channel: channel, template: 0, id: APNSID(high: 0x4000, low: 1 << 63 | UInt64(index)))
        }
        return page
    }
}
