import APNSSender
import APNSSimulator
import APNSWire
import EyotContract
import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct SendingTests {
    @Test func `two full pages reach their phones byte for byte, first one stream at a time and then a thousand`()
        async throws
    {
        let rig = try await Rig()
        async let first = rig.sender.send(Rig.page(1_000), key: rig.key)
        async let second = rig.sender.send(Rig.page(1_000, first: 1_000), key: rig.key)
        let verdicts = await first.verdicts + second.verdicts
        #expect(verdicts.count { $0 == .accepted } == 2_000)
        let received = rig.phones.received
        let isComplete = Set(received.map(\.token.bytes)) == Set((0..<2_000).map(Rig.token))
        #expect(isComplete)
        #expect(received.count == 2_000)
        #expect(Set(received.map(\.payload)) == [Rig.payload(at: Rig.start)])
        let ids = Set(received.map(\.id)).count
        #expect(ids == 2_000)
        await rig.stop()
    }

    @Test func `a push says what its template and slot say`() async throws {
        let rig = try await Rig()
        var page = PushPage(environment: .production)
        let plain = page.add(
            PushTemplate(
                topic: Rig.bundleID, pushType: .alert, priority: .considerate, expiration: 1_671_375_900,
                collapseID: "start-1", body: Array(#"{"aps":{}}"#.utf8)))
        let token = try #require(PushToken(hex: "00ff"))
        let id = try #require(APNSID("0a1b2c3d-0000-4000-8000-0123456789ab"))
        page.append(token: token, template: plain, id: id)
        #expect(await rig.sender.send(page, key: rig.key).verdicts == [.accepted])
        let push = try #require(rig.phones.received.first)
        #expect(push.token == token)
        #expect(push.environment == .production)
        #expect((push.topic, push.pushType, push.priority) == (Rig.bundleID, .alert, .considerate))
        #expect((push.expiration, push.collapseID, push.id) == (1_671_375_900, "start-1", id.description))
        #expect(push.payload == Array(#"{"aps":{}}"#.utf8))
        await rig.stop()
    }

    @Test func `the timestamp is the second in which the push leaves`() async throws {
        let rig = try await Rig()
        rig.time.advance(by: 0.999)
        _ = await rig.sender.send(Rig.page(1), key: rig.key)
        rig.time.advance(by: 59)
        _ = await rig.sender.send(Rig.page(1), key: rig.key)
        let expected = [Rig.start, Rig.start.addingTimeInterval(59)].map { Rig.payload(at: $0) }
        #expect(rig.phones.received.map(\.payload) == expected)
        await rig.stop()
    }

    @Test func `what would be stamped after the page's last second does not leave`() async throws {
        let rig = try await Rig(sender: { $0.unrepeatablePushesInFlight = 2 })
        var page = Rig.page(5, isRepeatable: false)
        page.stamps = 0..<Int(Rig.start.timeIntervalSince1970) + 1
        rig.time.advance(by: 0.9)
        // The first push of the page is answered in the next second, and makes room for the others.
        rig.phones.onReception = { [time = rig.time] in time.advance(by: 0.2) }
        let verdicts = await rig.sender.send(page, key: rig.key).verdicts
        #expect(verdicts.count { $0 == .accepted } == rig.phones.received.count)
        #expect(verdicts.suffix(3) == [.notProcessed, .notProcessed, .notProcessed])
        #expect(Set(rig.phones.received.map(\.payload)) == [Rig.payload(at: Rig.start)])
        let late = await rig.sender.send(page, key: rig.key).verdicts
        #expect(late == Array(repeating: .notProcessed, count: 5))
        await rig.stop()
    }

    @Test func `a page does not leave before the second in which it was bound, and its verdicts tell the latest one`()
        async throws
    {
        let rig = try await Rig()
        var page = Rig.page(2)
        let bound = Rig.start.addingTimeInterval(5)
        page.stamps = Int(bound.timeIntervalSince1970)..<Int.max
        // The clock has been set back since.
        let early = await rig.sender.send(page, key: rig.key)
        #expect(early.verdicts == [.notProcessed, .notProcessed])
        #expect(early.stampedUpTo == 0)
        rig.time.advance(by: 7)
        let late = await rig.sender.send(page, key: rig.key)
        #expect(late.stampedUpTo == page.stamps.lowerBound + 2)
        #expect(Set(rig.phones.received.map(\.payload)) == [Rig.payload(at: Rig.start.addingTimeInterval(7))])
        await rig.stop()
    }

    @Test func `an empty page is settled`() async throws {
        let rig = try await Rig()
        #expect(await rig.sender.send(Rig.page(0), key: rig.key).verdicts.isEmpty)
        await rig.stop()
    }

    @Test func `a refusal comes back with its reason, and a death with its time`() async throws {
        let rig = try await Rig()
        rig.phones.bury(Rig.token(1), .unregistered, since: Rig.start.addingTimeInterval(-60.5))
        rig.phones.bury(Rig.token(2), .badDeviceToken)
        rig.phones.bury(Rig.token(3), .tooManyRequests)
        let result = await rig.sender.send(Rig.page(5), key: rig.key)
        #expect(
            result.verdicts == [
                .accepted, .refused(.unregistered), .refused(.badDeviceToken), .refused(.tooManyRequests), .accepted,
            ])
        #expect(result.deadSince == [1: 1_671_375_539_500])
        await rig.stop()
    }

    @Test func `a wrong key is refused push by push`() async throws {
        let rig = try await Rig(simulator: { $0.rules.oneStreamUntilValidToken = false })
        let wrong = try ProviderKey(teamID: "TEAM000404", keyID: "KEY0000001", privateKey: .init())
        let result = await rig.sender.send(Rig.page(3), key: wrong)
        #expect(result.verdicts == Array(repeating: .refused(.invalidProviderToken), count: 3))
        await rig.stop()
    }

    @Test func `one provider token serves all connections and both environments until it is 50 minutes old`()
        async throws
    {
        let rig = try await Rig()
        func tokens() -> Set<String> {
            Set(rig.simulator.requests().compactMap { $0.headers.first { $0.name == "authorization" }?.value })
        }
        _ = await rig.sender.send(Rig.page(20), key: rig.key)
        rig.time.advance(by: 49 * 60)
        _ = await rig.sender.send(Rig.page(20, environment: .production), key: rig.key)
        #expect(tokens().count == 1)
        rig.time.advance(by: 2 * 60)
        let later = await rig.sender.send(Rig.page(20), key: rig.key)
        #expect(later.verdicts.allSatisfy { $0 == .accepted })
        #expect(tokens().count == 2)
        await rig.stop()
    }

    @Test func `a token of another sender is used, unless there is a usable one or Apple called it expired`()
        async throws
    {
        let ahead = SharedTime(Rig.start.addingTimeInterval(40 * 60))
        let rig = try await Rig(simulatorTime: ahead)
        func shown() -> Set<String> {
            Set(rig.simulator.requests().compactMap { $0.headers.first { $0.name == "authorization" }?.value })
        }
        let shared = try ProviderToken(key: rig.key, now: Rig.start.addingTimeInterval(-60))
        #expect(try #require(rig.sender.tokenNeed(of: rig.key)).rejected == nil)
        rig.sender.use(shared, of: rig.key)
        #expect(rig.sender.tokenNeed(of: rig.key) == nil)
        rig.sender.use(try ProviderToken(key: rig.key, now: Rig.start), of: rig.key)
        #expect(await rig.sender.send(Rig.page(1), key: rig.key).verdicts == [.accepted])
        let unsigned = shared.text.split(separator: ".").dropLast().joined(separator: ".")
        #expect(shown() == ["bearer \(unsigned).…"])
        rig.time.advance(by: 25 * 60)
        ahead.advance(by: 25 * 60)
        _ = await rig.sender.send(Rig.page(1), key: rig.key)
        #expect(try #require(rig.sender.tokenNeed(of: rig.key)).rejected == shared.text)
        await rig.stop()
    }

    @Test func `an expired provider token is replaced on a new connection, once in 20 minutes`() async throws {
        let ahead = SharedTime(Rig.start.addingTimeInterval(40 * 60))
        let rig = try await Rig(simulatorTime: ahead, simulator: { $0.rules.wedgesAfterExpiredToken = true })
        #expect(await rig.sender.send(Rig.page(1), key: rig.key).verdicts == [.accepted])
        rig.time.advance(by: 25 * 60)
        ahead.advance(by: 25 * 60)
        let expired = PushVerdict.refused(.expiredProviderToken)
        #expect(await rig.sender.send(Rig.page(1), key: rig.key).verdicts == [expired])
        #expect(await rig.sender.send(Rig.page(1), key: rig.key).verdicts == [.accepted])
        // The clocks drift apart. A token younger than 20 minutes is not replaced, because Apple would refuse the next
        // one too.
        ahead.advance(by: 40 * 60)
        #expect(await rig.sender.send(Rig.page(1), key: rig.key).verdicts == [expired])
        #expect(await rig.sender.send(Rig.page(1), key: rig.key).verdicts == [expired])
        let shown = rig.simulator.requests().compactMap { $0.headers.first { $0.name == "authorization" }?.value }
        #expect(Set(shown).count == 2)
        await rig.stop()
    }
}
