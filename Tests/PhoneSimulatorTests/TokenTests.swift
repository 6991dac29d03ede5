import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct TokenTests {
    @Test func `the start token comes with the first launch and stays`() {
        var phone = PhoneState(configuration())
        #expect(phone.startToken == nil)
        phone.launch(now: at(0))
        let token = phone.startToken
        #expect(token?.bytes.count == 80)
        phone.forceQuit(now: at(1))
        phone.reboot(now: at(2))
        phone.launch(now: at(3))
        #expect(phone.startToken == token)
    }

    @Test func `before iOS 17 point 2 there is no start token`() {
        #expect(launchedPhone(os: IOSVersion(17, 1)).startToken == nil)
        #expect(launchedPhone(os: IOSVersion(17, 2)).startToken != nil)
    }

    @Test func `with Live Activities off the start token waits until they are on`() {
        var phone = launchedPhone(settings: PhoneSettings(activitiesEnabled: false))
        #expect(phone.startToken == nil)
        phone.change(settings: PhoneSettings(), now: at(1))
        #expect(phone.startToken != nil)
    }

    @Test func `where the switch says so, the start token waits for a restart`() {
        var phone = launchedPhone { $0.startTokenMoment = .firstLaunchAfterReboot }
        #expect(phone.startToken == nil)
        phone.reboot(now: at(1))
        phone.launch(now: at(2))
        #expect(phone.startToken != nil)
    }

    @Test func `where the switch says so, a restart brings another start token`() {
        var phone = launchedPhone { $0.rebootRenewsStartToken = true }
        let old = phone.startToken
        phone.reboot(now: at(1))
        phone.launch(now: at(2))
        #expect(phone.startToken != nil && phone.startToken != old)
    }

    @Test(arguments: [true, false])
    func `a start token that a restart of the phone renews is replaced like any other`(isKilled: Bool) throws {
        var phone = launchedPhone {
            $0.rebootRenewsStartToken = true
            $0.replacingKillsToken = isKilled
        }
        let old = try required(phone.startToken)
        _ = phone.takeEvents()
        phone.reboot(now: at(1))
        #expect(phone.takeEvents().contains(.tokenDied(old, since: at(1))) == isKilled)
        phone.launch(now: at(2))
        #expect(phone.startToken != nil && phone.startToken != old)
    }

    @Test func `with the app its replaced tokens die, too, that Apple went on taking`() throws {
        var phone = launchedPhone { $0.replacingKillsToken = false }
        let old = try required(phone.startToken)
        phone.rotateStartToken(now: at(1))
        #expect(!phone.takeEvents().contains { if case .tokenDied = $0 { true } else { false } })
        phone.reinstall(now: at(2))
        #expect(phone.takeEvents().contains(.tokenDied(old, since: at(2))))
    }

    @Test(arguments: [true, false])
    func `tokens come to a phone that is offline, or when it is online again`(comesOffline: Bool) throws {
        var phone = PhoneState(configuration { $0.issuesTokensOffline = comesOffline })
        phone.goOffline(now: kickOff)
        phone.launch(now: kickOff)
        let id = try phone.requestLocally()
        #expect((phone.startToken != nil) == comesOffline)
        #expect((phone.card(id)?.updateToken != nil) == comesOffline)
        if !comesOffline { #expect(phone.nextMoment.map { $0 > kickOff } ?? true) }
        phone.goOnline(now: at(1))
        #expect(phone.startToken != nil && phone.card(id)?.updateToken != nil)
    }

    @Test func `a reinstalled app has lost cards, tokens and the person's permission`() throws {
        var phone = launchedPhone(settings: PhoneSettings(allowed: .afterAsking))
        phone.pressAllow(now: at(0))
        _ = try phone.start()
        let old = try required(phone.cards.first?.updateToken)
        let oldStart = try required(phone.startToken)
        _ = phone.takeEvents()
        phone.reinstall(now: at(10))
        let died = phone.takeEvents().compactMap { event -> PushToken? in
            if case .tokenDied(let token, at(10)) = event { token } else { nil }
        }
        #expect(Set(died) == [old, oldStart])
        #expect(phone.cards.isEmpty && phone.startToken == nil && phone.run == .notRunning && !phone.hasAllowed)
        #expect(phone.installation == 2)
        phone.launch(now: at(11))
        #expect(phone.startToken != oldStart)
    }

    @Test func `after a pushed start the token waits for Allow`() throws {
        var phone = launchedPhone(settings: PhoneSettings(allowed: .afterAsking))
        _ = try phone.start()
        phone.advance(to: at(60))
        #expect(phone.cards.first?.updateToken == nil)
        #expect(phone.pressAllow(now: at(61)) == true)
        #expect(phone.cards.first?.updateToken != nil)
        _ = try phone.start(at: 62)
        #expect(phone.cards.last?.updateToken != nil)
    }

    @Test func `who never allows gives no token to pushed starts, but to local ones`() throws {
        var phone = launchedPhone(settings: PhoneSettings(allowed: .never))
        _ = try phone.start()
        #expect(phone.pressAllow(now: at(1)) == false)
        let local = try phone.requestLocally(at: 2)
        #expect(phone.cards.first?.updateToken == nil)
        #expect(phone.card(local)?.updateToken != nil)
    }

    @Test func `rotation gives a new token and kills the old one`() throws {
        var phone = launchedPhone()
        _ = try phone.start()
        let card = try required(phone.cards.first)
        let old = try required(card.updateToken)
        let new = try required(phone.rotateToken(ofCard: card.id, now: at(10)))
        #expect(new != old && phone.cards.first?.updateToken == new)
        #expect(phone.takeEvents().contains(.tokenDied(old, since: at(10))))
        #expect(phone.receive(push(old, payload("update", at: 11)), now: at(11)).reason == .noSuchCard)
        #expect(phone.receive(push(new, payload("update", at: 12)), now: at(12)).reason == nil)
        let start = try required(phone.startToken)
        #expect(phone.rotateStartToken(now: at(13)) != start)
    }

    @Test func `where the switch says so, Apple goes on taking pushes for a replaced token, to no effect`() throws {
        var phone = launchedPhone { $0.replacingKillsToken = false }
        _ = try phone.start()
        let (start, old) = try (required(phone.startToken), required(phone.cards.first?.updateToken))
        phone.rotateStartToken(now: at(1))
        phone.rotateToken(ofCard: try required(phone.cards.first?.id), now: at(1))
        #expect(deaths(in: phone.takeEvents()).isEmpty)
        #expect(phone.receive(push(start, payload("start", at: 2)), now: at(2)).reason == .noSuchCard)
        #expect(phone.receive(push(old, payload("update", at: 2)), now: at(2)).reason == .noSuchCard)
        var restored = PhoneState(phone.configuration, restoring: phone.archive)
        #expect(deaths(in: restored.takeEvents()).isEmpty)
        phone.reinstall(now: at(3))
        #expect(deaths(in: phone.takeEvents()).count == 4, "the replaced ones, too")
    }

    @Test func `an ended card has its token and may get another, unless the switch says that the end kills it`() throws
    {
        for kills in [false, true] {
            var phone = launchedPhone { $0.endKillsToken = kills }
            _ = try phone.start()
            let card = try required(phone.cards.first)
            let token = try required(card.updateToken)
            _ = try phone.change("end", stamped: 10, arriving: 10)
            #expect(deaths(in: phone.takeEvents()) == (kills ? [token] : []))
            let another = phone.rotateToken(ofCard: card.id, now: at(11))
            #expect((another == nil) == kills && phone.cards.first?.updateToken == another)
        }
    }

    @Test func `with Live Activities off the start token stays, unless the switch says no`() throws {
        for kills in [false, true] {
            var phone = launchedPhone { $0.disablingKillsStartToken = kills }
            let token = try required(phone.startToken)
            phone.change(settings: PhoneSettings(activitiesEnabled: false), now: at(1))
            #expect(phone.startToken == (kills ? nil : token))
            #expect(deaths(in: phone.takeEvents()) == (kills ? [token] : []))
            phone.change(settings: PhoneSettings(), now: at(2))
            #expect(phone.startToken != nil && (phone.startToken != token) == kills)
        }
    }

    @Test(arguments: [true, false])
    func `with Live Activities off an app that is opened gets no start token, unless the switch says so`(gets: Bool) {
        var phone = PhoneState(
            configuration(settings: PhoneSettings(activitiesEnabled: false)) { $0.disabledGetsStartToken = gets })
        phone.launch(now: kickOff)
        #expect((phone.startToken != nil) == gets)
        phone.change(settings: PhoneSettings(), now: at(1))
        #expect(phone.startToken != nil)
    }

    @Test func `where the switch says so, Allow counts for the cards that are there`() throws {
        var phone = launchedPhone(settings: PhoneSettings(allowed: .afterAsking)) { $0.allowHoldsForAllCards = false }
        _ = try phone.start()
        phone.pressAllow(now: at(1))
        #expect(phone.cards.first?.updateToken != nil)
        _ = try phone.start(at: 2)
        #expect(phone.cards.last?.updateToken == nil)
        var restored = PhoneState(phone.configuration, restoring: phone.archive)
        #expect(restored.cards == phone.cards)
        restored.pressAllow(now: at(3))
        #expect(restored.cards.last?.updateToken != nil)
    }

    private func deaths(in events: [PhoneEvent]) -> [PushToken] {
        events.compactMap { event in
            if case .tokenDied(let token, _) = event { token } else { nil }
        }
    }

    @Test func `a restart keeps the cards, unless the switch says no`() throws {
        for survives in [true, false] {
            var phone = launchedPhone { $0.cardsSurviveReboot = survives }
            _ = try phone.start()
            phone.reboot(now: at(1))
            #expect(phone.run == .notRunning)
            #expect(phone.cards.first?.phase == (survives ? .active : .dismissed))
        }
    }

    @Test func `the same seed gives the same tokens, another phone has others`() throws {
        func tokens(_ id: String) throws -> [String] {
            var phone = PhoneState(configuration(id))
            phone.launch(now: kickOff)
            _ = try phone.start()
            return try [
                required(phone.startToken).hex, required(phone.cards.first?.updateToken).hex,
                required(phone.cards.first?.id),
            ]
        }
        #expect(try tokens("phone-1") == tokens("phone-1"))
        #expect(try Set(tokens("phone-1")).isDisjoint(with: tokens("phone-2")))
    }

    @Test(arguments: [true, false], [18, 26])
    func `a major update of the system leaves a start token without effect, under one rule`(
        renews: Bool, major: Int
    ) throws {
        var phone = launchedPhone(os: IOSVersion(18, 1)) { $0.systemUpdateRenewsStartToken = renews }
        let old = try required(phone.startToken)
        _ = phone.takeEvents()
        phone.updateSystem(to: IOSVersion(major, 2), now: at(10))
        #expect(phone.configuration.os == IOSVersion(major, 2))
        let isLost = renews && major == 26
        #expect(phone.startToken == (isLost ? nil : old))
        // Apple hears of no death.
        let died = phone.takeEvents().contains { if case .tokenDied = $0 { true } else { false } }
        #expect(!died)
        let effect = phone.receive(push(old, payload("start", at: 20)), now: at(20))
        #expect((effect.word == "started") == !isLost)
        phone.launch(now: at(30))
        #expect((phone.startToken != old) == isLost)
    }
}
