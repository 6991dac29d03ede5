import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct FleetTests {
    private let fleet = PhoneFleet(clock: { kickOff })

    private func verdict(
        _ token: PushToken, _ environment: PushEnvironment = .production, _ topic: String = topic
    ) -> TokenVerdict {
        fleet.verdict(token: token, environment: environment, topic: topic)
    }

    @Test func `a push reaches the phone that has the token, and no other`() throws {
        let phones = try ["a", "b", "c"].map { try required(fleet.add(configuration($0))) }
        for phone in phones { phone.launch() }
        let token = try required(phones[1].state.startToken)
        #expect(fleet.deliver(push(token, payload("start", at: 0)), environment: .production) == .accepted)
        #expect(phones.map(\.state.cards.count) == [0, 1, 0])
        #expect(fleet.phones.map(\.id) == ["a", "b", "c"])
    }

    @Test func `an observer hears of every push and every fault, and may ask the phone`() throws {
        let heard = Guarded<[PhoneObservation]>([])
        let asked = Guarded<[Int]>([])
        let phones = Guarded<[SimulatedPhone]>([])
        let fleet = PhoneFleet(
            clock: { kickOff },
            observer: { observation in
                heard.withLock { $0.append(observation) }
                let cards = phones.withLock { $0 }.map(\.state.cards.count)
                asked.withLock { $0 += cards }
            })
        let phone = try required(fleet.add(configuration("a")))
        phones.withLock { $0 = [phone] }
        phone.launch()
        let token = try required(phone.state.startToken)
        phone.receive(push(token, payload("start", at: 0)))
        phone.receive(push(token, payload("update", at: 1)))
        phone.process?.note(fault: "too early")
        #expect(heard.withLock { $0 }.map(\.phone) == ["a", "a", "a"])
        let facts = heard.withLock { $0 }.map(\.fact)
        let effects = facts.map { if case .push(let record) = $0 { record.effect.word } else { "fault" } }
        #expect(effects == ["started", "ignored", "fault"])
        #expect(facts.last == .fault("too early"))
        #expect(asked.withLock { $0 } == [1, 1, 1])
    }

    @Test func `two phones of one name are one too many`() {
        #expect(fleet.add(configuration("a")) != nil)
        #expect(fleet.add(configuration("a")) == nil)
    }

    @Test func `Apple judges token, environment and topic`() throws {
        let phone = try required(fleet.add(configuration()))
        phone.launch()
        let token = try required(phone.state.startToken)
        let unknown = try required(PushToken(bytes: [UInt8](repeating: 1, count: 80)))
        #expect(verdict(token) == .accepted)
        #expect(verdict(unknown) == .badDeviceToken)
        #expect(verdict(token, .sandbox) == .badDeviceToken)
        #expect(verdict(token, .production, bundleID) == .deviceTokenNotForTopic)
        #expect(verdict(token, .production, "other.app.push-type.liveactivity") == .deviceTokenNotForTopic)
        let refused = fleet.deliver(push(token, payload("start", at: 0)), environment: .sandbox)
        #expect(refused.reason == .badDeviceToken)
        #expect(phone.state.pushes.total == 0)
    }

    @Test func `a rotated token is unregistered since then, and its pushes reach nobody`() throws {
        let phone = try required(fleet.add(configuration()))
        phone.launch()
        let start = try required(phone.state.startToken)
        _ = fleet.deliver(push(start, payload("start", at: 0)), environment: .production)
        let card = try required(phone.state.cards.first)
        let old = try required(card.updateToken)
        let new = try required(phone.rotateToken(ofCard: card.id))
        #expect(verdict(old) == .unregistered(since: kickOff))
        #expect(verdict(new) == .accepted)
        #expect(fleet.deliver(push(old, payload("update", at: 1)), environment: .production).reason == .unregistered)
        #expect(phone.state.pushes.total == 1)
    }

    @Test func `the longest dead tokens are forgotten`() throws {
        let fleet = PhoneFleet(deadTokenLimit: 2, clock: { kickOff })
        let phone = try required(fleet.add(configuration()))
        phone.launch()
        var tokens = try [required(phone.state.startToken)]
        for _ in 0..<6 { tokens.append(try required(phone.rotateStartToken())) }
        let verdicts = tokens.map { fleet.verdict(token: $0, environment: .production, topic: topic) }
        let dead = TokenVerdict.unregistered(since: kickOff)
        #expect(verdicts == Array(repeating: .badDeviceToken, count: 4) + [dead, dead, .accepted])
    }

    @Test func `the token of a dismissed card is unregistered, unless the switch says no`() throws {
        for kills in [true, false] {
            let phone = try required(fleet.add(configuration("\(kills)") { $0.removalKillsToken = kills }))
            phone.launch()
            let start = try required(phone.state.startToken)
            _ = fleet.deliver(push(start, payload("start", at: 0)), environment: .production)
            let card = try required(phone.state.cards.first)
            phone.dismiss(card: card.id)
            let token = try required(card.updateToken)
            #expect(verdict(token) == (kills ? .unregistered(since: kickOff) : .accepted))
        }
    }

    @Test func `Apple accepts for a phone that is offline`() throws {
        let phone = try required(fleet.add(configuration()))
        phone.launch()
        phone.goOffline()
        let token = try required(phone.state.startToken)
        #expect(fleet.deliver(push(token, payload("start", at: 0)), environment: .production) == .accepted)
        #expect(phone.state.cards.isEmpty)
        #expect(phone.goOnline()?.word == "started")
    }

    @Test func `a phone that was kept has its cards and tokens again`() throws {
        let phone = try required(fleet.add(configuration(settings: PhoneSettings(allowed: .afterAsking))))
        phone.launch()
        phone.pressAllow()
        let start = try required(phone.state.startToken)
        _ = fleet.deliver(push(start, payload("start", at: 0, score: "3-3")), environment: .production)
        let first = try required(phone.state.cards.first)
        let old = try required(first.updateToken)
        phone.rotateToken(ofCard: first.id)

        let kept = try JSONEncoder().encode(phone.state.archive)
        let later = PhoneFleet(clock: { at(60) })
        let archive = try JSONDecoder().decode(PhoneArchive.self, from: kept)
        let restored = try required(later.add(configuration(), restoring: archive))
        #expect(restored.state.cards == phone.state.cards)
        #expect(restored.state.startToken == start && restored.state.settings == phone.state.settings)
        #expect(restored.state.run == .notRunning && restored.state.hasAllowed)
        #expect(
            later.verdict(token: old, environment: .production, topic: topic) == .unregistered(since: kickOff))
        let token = try required(restored.state.cards.first?.updateToken)
        #expect(later.deliver(push(token, payload("update", at: 60)), environment: .production) == .accepted)
        #expect(restored.state.score == "0-0")
        // What it makes next differs from what it has made.
        #expect(restored.rotateToken(ofCard: first.id) != token)
    }

    @Test func `a reinstalled app's tokens are unregistered`() throws {
        let phone = try required(fleet.add(configuration()))
        phone.launch()
        let token = try required(phone.state.startToken)
        phone.reinstall()
        #expect(verdict(token) == .unregistered(since: kickOff))
    }
}
