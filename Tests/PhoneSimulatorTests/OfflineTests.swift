import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct OfflineTests {
    /// A phone with a card, offline since second 10.
    private func offlinePhone() throws -> PhoneState {
        var phone = launchedPhone()
        _ = try phone.start()
        phone.goOffline(now: at(10))
        return phone
    }

    private func expiration(_ seconds: TimeInterval) -> Int { Int(at(seconds).timeIntervalSince1970) }

    @Test func `while offline nothing changes, and the latest push comes afterwards`() throws {
        var phone = try offlinePhone()
        #expect(try phone.change("update", stamped: 20, arriving: 20, score: "1-0") == .stored)
        #expect(try phone.change("update", stamped: 30, arriving: 30, score: "2-0") == .stored)
        #expect(phone.score == "0-0")
        let effect = phone.goOnline(now: at(40))
        #expect(effect?.card == phone.cards.first?.id)
        #expect(phone.score == "2-0")
        let effects = phone.pushes.entries.map(\.effect.word)
        #expect(effects == ["started", "stored", "ignored", "stored", "updated"])
        #expect(phone.pushes.entries[2].effect.reason == .replacedInStorage)
        #expect(phone.goOnline(now: at(41)) == nil)
    }

    @Test func `a push for one attempt is not kept`() throws {
        var phone = try offlinePhone()
        let token = try required(phone.cards.first?.updateToken)
        for expiration in [0, 300, expiration(20)] {
            let late = push(token, payload("update", at: 20), expiration: expiration)
            #expect(phone.receive(late, now: at(20)).reason == .offline)
        }
        #expect(phone.goOnline(now: at(40)) == nil)
    }

    @Test func `a kept push expires`() throws {
        var phone = try offlinePhone()
        let token = try required(phone.cards.first?.updateToken)
        let late = push(token, payload("update", at: 20), expiration: expiration(60))
        #expect(phone.receive(late, now: at(20)) == .stored)
        #expect(phone.goOnline(now: at(60))?.reason == .expired)
        #expect(phone.score == "0-0")
    }

    @Test func `a phone that is online takes a push for one attempt`() throws {
        var phone = launchedPhone()
        let token = try required(phone.startToken)
        #expect(phone.receive(push(token, payload("start", at: 0), expiration: 300), now: at(0)).card != nil)
    }

    @Test func `a kept push to a token that was rotated meanwhile finds no card`() throws {
        var phone = try offlinePhone()
        _ = try phone.change("update", stamped: 20, arriving: 20)
        let id = try required(phone.cards.first?.id)
        phone.rotateToken(ofCard: id, now: at(30))
        #expect(phone.goOnline(now: at(40))?.reason == .noSuchCard)
    }

    @Test func `without an expiration Apple keeps a push for thirty days, and no date makes it longer`() throws {
        for expiration in [nil, expiration(400 * 24 * hour)] {
            for (days, isThere) in [(29.0, true), (30.0, false)] {
                var phone = try offlinePhone()
                let token = try required(phone.startToken)
                _ = phone.receive(push(token, payload("start", at: 20), expiration: expiration), now: at(20))
                let effect = phone.goOnline(now: at(20 + days * 24 * hour))
                #expect(effect?.reason == (isThere ? nil : .expired))
            }
        }
    }

    @Test func `where the switch says so, of a burst the first is kept`() throws {
        var phone = launchedPhone { $0.storageBurst = 5 }
        _ = try phone.start()
        phone.goOffline(now: at(10))
        #expect(try phone.change("update", stamped: 20, arriving: 20, score: "1-0") == .stored)
        #expect(try phone.change("update", stamped: 24, arriving: 24, score: "2-0").reason == .storageTaken)
        #expect(phone.storedPush?.payload == payload("update", at: 20, score: "1-0"))
        #expect(try phone.change("update", stamped: 25, arriving: 25, score: "3-0") == .stored)
        _ = phone.goOnline(now: at(40))
        #expect(phone.score == "3-0")
    }

    // MARK: Pushes that wait

    @Test func `where the switch says so, pushes of priority 5 wait and come in a burst, after those of priority 10`()
        throws
    {
        var phone = launchedPhone { $0.considerateDelay = 60 }
        let token = try required(phone.startToken)
        _ = phone.receive(push(token, payload("start", at: 0), priority: .immediate), now: at(0))
        for second in [10.0, 20] {
            #expect(try phone.change("update", stamped: second, arriving: second, score: "\(Int(second))-0") == .stored)
        }
        #expect(phone.nextMoment == at(70))
        #expect(
            try phone.change("update", stamped: 15, arriving: 21, score: "15-0", priority: .immediate).reason == nil)
        phone.advance(to: at(69))
        #expect(phone.score == "15-0")
        phone.advance(to: at(100))
        #expect(phone.score == "20-0")
        let burst = phone.pushes.entries.suffix(2)
        #expect(burst.map(\.effect.reason) == [.olderTimestamp, nil])
        #expect(burst.map(\.receivedAt) == [at(70), at(70)])
        #expect(try phone.change("update", stamped: 101, arriving: 101) == .stored)
        #expect(phone.nextMoment == at(161))
    }

    @Test func `what is not to be stored does not wait, and what has waited beyond its time is dropped`() throws {
        var phone = launchedPhone { $0.considerateDelay = 60 }
        let token = try required(phone.startToken)
        _ = phone.receive(push(token, payload("start", at: 0), priority: .immediate), now: at(0))
        let card = try required(phone.cards.first?.updateToken)
        let soon = Int(at(30).timeIntervalSince1970)
        #expect(
            phone.receive(push(card, payload("update", at: 10, score: "1-0"), expiration: 0), now: at(10)).reason == nil
        )
        #expect(phone.score == "1-0")
        #expect(
            phone.receive(push(card, payload("update", at: 20, score: "2-0"), expiration: soon), now: at(20)) == .stored
        )
        phone.advance(to: at(100))
        #expect(phone.score == "1-0" && phone.pushes.entries.last?.effect.reason == .expired)
    }

    @Test func `what has expired keeps no place for a burst`() throws {
        var phone = launchedPhone { $0.storageBurst = 60 }
        let token = try required(phone.startToken)
        phone.goOffline(now: at(0))
        let soon = Int(at(5).timeIntervalSince1970)
        #expect(phone.receive(push(token, payload("start", at: 0), expiration: soon), now: at(0)) == .stored)
        #expect(phone.receive(push(token, payload("start", at: 10)), now: at(10)) == .stored)
        #expect(phone.pushes.entries.map(\.effect.reason) == [nil, .expired, nil])
    }

    @Test func `what waits for a phone that went offline is kept as any push, and lost with the app`() throws {
        var phone = launchedPhone { $0.considerateDelay = 60 }
        let token = try required(phone.startToken)
        for second in 1...2 { _ = phone.receive(push(token, payload("start", at: 0)), now: at(Double(second))) }
        phone.goOffline(now: at(10))
        phone.advance(to: at(61))
        #expect(phone.cards.isEmpty && phone.storedPush != nil)
        _ = phone.goOnline(now: at(100))
        #expect(phone.cards.count == 1)
        phone.receive(push(token, payload("start", at: 100)), now: at(101))
        phone.reinstall(now: at(102))
        phone.advance(to: at(hour))
        #expect(phone.pushes.entries.last?.effect == .stored)
        phone.launch(now: at(hour))
        phone.receive(push(try required(phone.startToken), payload("start", at: hour)), now: at(hour))
        phone.advance(to: at(hour + 60))
        #expect(phone.cards.count == 1 && phone.pushes.entries.last?.effect.word == "started")
    }
}
