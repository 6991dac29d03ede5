import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct ChannelTests {
    /// A phone with a card on the channel, started by push at kick-off.
    private func subscribedPhone(change: (inout PhoneRules) -> Void = { _ in }) throws -> PhoneState {
        var phone = launchedPhone(change: change)
        _ = try phone.start(extra: [("input-push-channel", .string(final))])
        return phone
    }

    @Test func `a card on a channel has no token, and shows what is broadcast`() throws {
        var phone = try subscribedPhone()
        #expect(phone.cards.first?.updates == .channel(final) && phone.cards.first?.updateToken == nil)
        let id = try required(phone.cards.first?.id)
        #expect(phone.receive(broadcast(payload("update", at: 10, score: "1-0")), now: at(10)) == .updated(card: id))
        #expect(phone.score == "1-0")
        #expect(phone.receive(broadcast(payload("end", at: 20, score: "4-2")), now: at(20)) == .ended(card: id))
        #expect(phone.receive(broadcast(payload("update", at: 30)), now: at(30)).reason == .afterEnd)
        let record = try required(phone.json.object?["pushes"]?.array?.last?.object)
        #expect(record["channel"]?.string == final && record["token"] == .null)
    }

    @Test func `a card on a channel has a token where the switch says so`() throws {
        var phone = try subscribedPhone { $0.channelCardsGetToken = true }
        let id = try required(phone.cards.first?.id)
        #expect(try phone.change("update", stamped: 10, arriving: 10) == .updated(card: id))
        #expect(phone.receive(broadcast(payload("update", at: 20)), now: at(20)) == .updated(card: id))
    }

    @Test func `a broadcast concerns every card on its channel, and only those`() throws {
        var phone = try subscribedPhone()
        var request = LocalTests.asked(updates: .channel(final))
        let second = try phone.request(request, now: at(1))
        request.updates = .channel("b3RoZXI=")
        let other = try phone.request(request, now: at(1))
        phone.receive(broadcast(payload("update", at: 10, score: "1-0")), now: at(10))
        let scores = phone.cards.map { $0.content.state.object?["score"]?.string }
        #expect(scores == ["1-0", "1-0", "0-0"])
        #expect(phone.pushes.entries.suffix(2).map(\.effect.card) == [phone.cards.first?.id, second])
        #expect(phone.subscribedChannels == [final, "b3RoZXI="] && phone.card(other)?.changes == 1)
        #expect(
            phone.receive(broadcast(payload("update", at: 11), on: "bm9ib2R5"), now: at(11)).reason == .notSubscribed)
    }

    @Test func `a broadcast never starts anything`() throws {
        var phone = try subscribedPhone()
        #expect(phone.receive(broadcast(payload("start", at: 10)), now: at(10)).reason == .wrongToken)
        #expect(phone.cards.count == 1)
    }

    @Test func `a broadcast may have 5,120 bytes, its state 4,096 unless the switch says otherwise`() throws {
        for takes in [false, true] {
            var phone = try subscribedPhone { $0.takesLargeBroadcastState = takes }
            let empty = payload("update", at: 10, score: "").count
            let large = payload("update", at: 10, score: String(repeating: "x", count: 5_120 - empty))
            #expect(phone.receive(broadcast(large), now: at(10)).reason == (takes ? nil : .tooLarge))
            let small = payload("update", at: 11, score: String(repeating: "x", count: 4_000))
            #expect(phone.receive(broadcast(small), now: at(11)).reason == nil)
            #expect(phone.receive(broadcast(large + [0x20]), now: at(12)).reason == .tooLarge)
        }
    }

    // MARK: What Apple knows and keeps

    @Test func `Apple hears of a channel when its first card runs and when its last one is over`() throws {
        var phone = try subscribedPhone()
        let second = try phone.request(LocalTests.asked(updates: .channel(final)), now: at(1))
        #expect(subscriptions(of: &phone) == [.subscribed(channel: final)])
        phone.end(card: second, content: nil, dismissal: .standard, now: at(2))
        #expect(subscriptions(of: &phone).isEmpty)
        phone.advance(to: at(8 * hour))
        #expect(subscriptions(of: &phone) == [.unsubscribed(channel: final)])
        #expect(phone.subscribedChannels.isEmpty)
    }

    @Test func `a phone that is offline tells Apple of its channels when it is online`() throws {
        var phone = launchedPhone()
        phone.goOffline(now: at(0))
        let card = try phone.request(LocalTests.asked(updates: .channel(final)), now: at(1))
        #expect(subscriptions(of: &phone).isEmpty)
        #expect(phone.receive(broadcast(payload("update", at: 2)), now: at(2)).reason == .notSubscribed)
        phone.goOnline(now: at(3))
        #expect(subscriptions(of: &phone) == [.subscribed(channel: final)])
        phone.goOffline(now: at(4))
        phone.dismiss(card: card, now: at(5))
        #expect(phone.receive(broadcast(payload("update", at: 6)), now: at(6)) == .stored)
        #expect(phone.goOnline(now: at(7))?.reason == .notSubscribed)
        #expect(subscriptions(of: &phone) == [.unsubscribed(channel: final)])
    }

    @Test func `the channel's policy decides whether a phone that was offline gets the newest broadcast`() throws {
        for keeps in [true, false] {
            var phone = try subscribedPhone()
            phone.goOffline(now: at(5))
            for second in [10.0, 20.0] {
                let late = broadcast(payload("update", at: second, score: "\(Int(second))-0"), keepsNewest: keeps)
                #expect(phone.receive(late, now: at(second)) == (keeps ? .stored : .ignored(.offline)))
            }
            #expect(phone.storedPush == nil)
            _ = phone.goOnline(now: at(30))
            #expect(phone.score == (keeps ? "20-0" : "0-0"))
        }
    }

    @Test func `a channel's newest broadcast is kept for eight hours, or shorter by its expiration`() throws {
        let soon = Int(at(60).timeIntervalSince1970)
        for (expiration, online, isThere) in [
            (nil, 8 * hour + 9, true), (nil, 8 * hour + 10, false), (soon, 59, true), (soon, 60, false),
        ] {
            // A card that its app scheduled runs that long.
            var phone = launchedPhone()
            var request = LocalTests.asked(updates: .channel(final))
            request.startDate = at(hour)
            _ = try phone.request(request, now: at(0))
            phone.goOffline(now: at(5))
            _ = phone.receive(broadcast(payload("update", at: 10), expiration: expiration), now: at(10))
            #expect(phone.goOnline(now: at(online))?.reason == (isThere ? nil : .expired))
        }
    }

    @Test func `what is kept of a channel leaves the app's one push its place, unless the switch says no`() throws {
        for shares in [false, true] {
            var phone = try subscribedPhone { $0.broadcastsShareStorage = shares }
            let second = try phone.requestLocally(at: 1)
            let token = try required(phone.card(second)?.updateToken)
            phone.goOffline(now: at(5))
            _ = phone.receive(broadcast(payload("update", at: 10, score: "1-0")), now: at(10))
            _ = phone.receive(push(token, payload("update", at: 11, score: "2-0")), now: at(11))
            _ = phone.goOnline(now: at(20))
            let scores = phone.cards.map { $0.content.state.object?["score"]?.string }
            #expect(scores == [shares ? "0-0" : "1-0", "2-0"])
        }
    }

    // MARK: Many phones

    @Test func `a broadcast reaches the phones on its channel, of its app and environment`() throws {
        let fleet = PhoneFleet(clock: { kickOff })
        let phones = try ["a", "b", "c"].map { try required(fleet.add(configuration($0))) }
        let sandbox = try required(fleet.add(configuration("d", environment: .sandbox)))
        for phone in [phones[0], phones[1], sandbox] {
            _ = try phone.launch().request(LocalTests.asked(updates: .channel(final)))
        }
        phones[1].goOffline()
        let goal = broadcast(payload("update", at: 1, score: "1-0"))
        #expect(fleet.broadcast(goal, environment: .production) == 2)
        #expect((phones + [sandbox]).map(\.state.score) == ["1-0", "0-0", nil, "0-0"])
        phones[1].goOnline()
        #expect(phones[1].state.score == "1-0")
        phones[0].dismiss(card: try required(phones[0].state.cards.first?.id))
        let left = fleet.subscribers(ofChannel: final, bundleID: bundleID, environment: .production)
        #expect(left.map(\.id) == ["b"])
        #expect(fleet.subscribers(ofChannel: final, bundleID: "other.app", environment: .production).isEmpty)
        let verdict = fleet.deliver(goal, environment: .production)
        #expect(verdict == .badDeviceToken)
    }

    @Test func `a phone that was kept is on its channels again`() throws {
        let fleet = PhoneFleet(clock: { kickOff })
        let kept = try subscribedPhone().archive
        _ = try required(fleet.add(configuration(), restoring: kept))
        #expect(fleet.broadcast(broadcast(payload("update", at: 1)), environment: .production) == 1)
    }

    @Test func `where the switch says so, who subscribes gets the broadcast that is kept, as long as it is`() throws {
        for (brings, keeps, joins, score) in [
            (true, true, hour, "1-0"), (false, true, hour, "0-0"), (true, false, hour, "0-0"),
            (true, true, 8 * hour, "0-0"),
        ] {
            let clock = Guarded(kickOff)
            let fleet = PhoneFleet(clock: { clock.withLock { $0 } })
            let phone = try required(fleet.add(configuration { $0.subscribingBringsNewest = brings }))
            let goal = broadcast(payload("update", at: 1, score: "1-0"), keepsNewest: keeps)
            #expect(fleet.broadcast(goal, environment: .production) == 0)
            clock.withLock { $0 = at(joins) }
            _ = try phone.launch().request(LocalTests.asked(updates: .channel(final)))
            #expect(phone.state.score == score)
        }
    }

    private func subscriptions(of phone: inout PhoneState) -> [PhoneEvent] {
        phone.takeEvents().filter {
            switch $0 {
            case .subscribed, .unsubscribed: true
            default: false
            }
        }
    }
}
