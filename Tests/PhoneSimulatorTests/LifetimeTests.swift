import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct LifetimeTests {
    struct Moment: Sendable, CustomTestStringConvertible {
        let name: String
        var end: TimeInterval?
        var dismissal: TimeInterval?
        var staleAt: TimeInterval?
        let look: TimeInterval
        let phase: CardPhase
        var testDescription: String { name }
    }

    static let moments = [
        Moment(name: "a card is active until eight hours have passed", look: 8 * hour - 1, phase: .active),
        Moment(name: "after eight hours the system ends it", look: 8 * hour, phase: .ended),
        Moment(name: "it stays on the Lock Screen for four more", look: 12 * hour - 1, phase: .ended),
        Moment(name: "after twelve hours it is gone", look: 12 * hour, phase: .dismissed),
        Moment(name: "an end without a date lingers", end: 60, look: 60 + 4 * hour - 1, phase: .ended),
        Moment(name: "for four hours", end: 60, look: 60 + 4 * hour, phase: .dismissed),
        Moment(name: "a dismissal date in the past means now", end: 60, dismissal: 10, look: 60, phase: .dismissed),
        Moment(name: "a later one is waited for", end: 60, dismissal: 90, look: 89, phase: .ended),
        Moment(name: "and honoured", end: 60, dismissal: 90, look: 90, phase: .dismissed),
        Moment(
            name: "but no longer than four hours", end: 60, dismissal: 60 + 5 * hour, look: 60 + 4 * hour,
            phase: .dismissed),
        Moment(name: "before its stale date a card is active", staleAt: 300, look: 299, phase: .active),
        Moment(name: "at its stale date it is stale", staleAt: 300, look: 300, phase: .stale),
        Moment(name: "a stale card ends after eight hours too", staleAt: 300, look: 8 * hour, phase: .ended),
        Moment(name: "a stale date in the past makes it stale at once", staleAt: -5, look: 0, phase: .stale),
    ]

    @Test("A card's life", arguments: moments)
    func life(_ moment: Moment) throws {
        var phone = launchedPhone()
        _ = try phone.start(extra: moment.staleAt.map { [("stale-date", .unix($0))] } ?? [])
        if let end = moment.end {
            let extra = moment.dismissal.map { [("dismissal-date", JSONValue.unix($0))] } ?? []
            _ = try phone.change("end", stamped: end, arriving: end, extra: extra)
        }
        phone.advance(to: at(moment.look))
        #expect(phone.cards.first?.phase == moment.phase)
        let once = phone.cards
        phone.advance(to: at(moment.look))
        #expect(phone.cards == once)
    }

    @Test func `one long wait tells the whole story in order`() throws {
        var phone = launchedPhone()
        _ = try phone.start(extra: [("stale-date", .unix(300))])
        _ = phone.takeEvents()
        phone.advance(to: at(100 * hour))
        let phases = phone.takeEvents().compactMap { event -> CardPhase? in
            if case .phase(_, let phase) = event { phase } else { nil }
        }
        #expect(phases == [.stale, .ended, .dismissed])
        #expect(phone.cards.first?.endedAt == at(8 * hour))
        #expect(phone.cards.first?.removedAt == at(12 * hour))
    }

    @Test func `time never goes back`() throws {
        var phone = launchedPhone()
        _ = try phone.start()
        phone.advance(to: at(9 * hour))
        phone.advance(to: at(0))
        #expect(phone.time == at(9 * hour))
        #expect(phone.cards.first?.phase == .ended)
    }

    @Test func `the next moment is when something happens by itself`() throws {
        var phone = launchedPhone()
        #expect(phone.nextMoment == nil)
        _ = try phone.start(extra: [("stale-date", .unix(300))])
        #expect(phone.nextMoment == at(300))
        phone.advance(to: at(300))
        #expect(phone.nextMoment == at(8 * hour))
    }

    @Test func `a fresh update makes a stale card active again, unless the switch says no`() throws {
        for revives in [true, false] {
            var phone = launchedPhone { $0.updateRevivesStale = revives }
            _ = try phone.start(extra: [("stale-date", .unix(300))])
            _ = try phone.change("update", stamped: 400, arriving: 400, extra: [("stale-date", .unix(600))])
            #expect(phone.cards.first?.phase == (revives ? .active : .stale))
        }
    }

    @Test(arguments: [true, false])
    func `an app's second end takes an ended card away, under one rule`(takesSecondEnd: Bool) throws {
        var phone = launchedPhone { $0.takesSecondEnd = takesSecondEnd }
        let id = try phone.requestLocally()
        phone.end(card: id, content: nil, dismissal: .standard, now: at(60))
        let change = CardContent(state: ["score": "9-9"])
        let refusal = phone.end(card: id, content: change, dismissal: .immediate, now: at(61))
        #expect(refusal == (takesSecondEnd ? nil : .afterEnd))
        #expect(phone.cards.first?.phase == (takesSecondEnd ? .dismissed : .ended))
        #expect(phone.score == "0-0")
        #expect(phone.update(card: id, to: change, now: at(62)) == (takesSecondEnd ? .dismissed : .afterEnd))
    }

    @Test func `a second end counts its date from the first end`() throws {
        var phone = launchedPhone()
        let id = try phone.requestLocally()
        phone.end(card: id, content: nil, dismissal: .after(at(90)), now: at(60))
        phone.end(card: id, content: nil, dismissal: .after(at(60 + 5 * hour)), now: at(61))
        #expect(phone.cards.first?.removedAt == at(60 + 4 * hour))
        phone.end(card: id, content: nil, dismissal: .standard, now: at(62))
        #expect(phone.cards.first?.removedAt == at(60 + 4 * hour))
    }

    @Test(arguments: [true, false])
    func `a pushed second end moves the removal, under one rule`(takesSecondPushedEnd: Bool) throws {
        var phone = launchedPhone { $0.takesSecondPushedEnd = takesSecondPushedEnd }
        _ = try phone.start()
        _ = try phone.change("end", stamped: 60, arriving: 60)
        let effect = try phone.change("end", stamped: 61, arriving: 61, extra: [("dismissal-date", .unix(10))])
        #expect(effect.reason == (takesSecondPushedEnd ? nil : .afterEnd))
        #expect(phone.cards.first?.phase == (takesSecondPushedEnd ? .dismissed : .ended))
    }

    @Test func `what a person dismisses stays away`() throws {
        var phone = launchedPhone()
        _ = try phone.start()
        let card = try required(phone.cards.first)
        let token = try required(card.updateToken)
        #expect(phone.dismiss(card: card.id, now: at(60)) == true)
        #expect(phone.dismiss(card: card.id, now: at(61)) == false)
        #expect(phone.receive(push(token, payload("update", at: 70)), now: at(70)).reason == .dismissed)
        #expect(phone.cards.first?.phase == .dismissed)
        #expect(phone.cards(ofType: "Match").isEmpty)
        #expect(phone.cards.first?.updateToken == nil)
    }

    @Test func `the most relevant card leads, and of equals the one that began first`() throws {
        var phone = launchedPhone()
        let first = try phone.requestLocally(at: 0, score: 50)
        let second = try phone.requestLocally(at: 1, score: 50)
        #expect(phone.leadingCard?.id == first)
        phone.update(card: second, to: CardContent(state: ["score": "1-0"], relevanceScore: 51), now: at(2))
        #expect(phone.leadingCard?.id == second)
        phone.end(card: second, content: nil, dismissal: .standard, now: at(3))
        #expect(phone.leadingCard?.id == first)
    }

    @Test(arguments: [true, false])
    func `a scheduled card gets its token when it begins, or before, under one rule`(isEarly: Bool) throws {
        var phone = launchedPhone { $0.pendingCardsGetToken = isEarly }
        let request = CardRequest(
            type: "Match", attributes: ["home": "Argentina"], content: CardContent(state: ["score": "0-0"]),
            updates: .token, startDate: at(600))
        let id = try phone.request(request, now: at(0))
        phone.advance(to: at(1))
        #expect((phone.card(id)?.updateToken != nil) == isEarly)
        #expect(phone.card(id)?.phase == .pending)
        phone.advance(to: at(601))
        #expect(phone.card(id)?.updateToken != nil)
    }

    @Test func `a scheduled card began when its time came, not when it was asked for`() throws {
        var phone = launchedPhone()
        var request = CardRequest(type: "Match", attributes: [:], content: CardContent(state: ["score": "0-0"]))
        request.startDate = at(hour)
        _ = try phone.request(request, now: at(0))
        let second = try phone.requestLocally(at: 60)
        phone.advance(to: at(2 * hour))
        #expect(phone.leadingCard?.id == second)
    }

    @Test func `a scheduled card is pending, alerts when it begins, and lives eight hours from then`() throws {
        var phone = launchedPhone()
        var request = CardRequest(
            type: "Match", attributes: ["home": "Argentina"], content: CardContent(state: ["score": "0-0"]))
        request.startDate = at(hour)
        _ = try phone.request(request, now: at(0))
        #expect(phone.cards.first?.phase == .pending)
        #expect(phone.leadingCard == nil)
        phone.advance(to: at(hour))
        #expect(phone.cards.first?.phase == .active)
        #expect(phone.cards.first?.alerts == 1)
        phone.advance(to: at(9 * hour - 1))
        #expect(phone.cards.first?.phase == .active)
        phone.advance(to: at(9 * hour))
        #expect(phone.cards.first?.phase == .ended)
    }

    @Test func `a transient card ends when the phone is locked`() throws {
        var phone = launchedPhone()
        let lasting = try phone.requestLocally()
        var request = CardRequest(type: "Match", attributes: [:], content: CardContent(state: ["score": "0-0"]))
        request.isTransient = true
        let transient = try phone.request(request, now: at(1))
        phone.lock(now: at(2))
        #expect(phone.card(transient)?.phase == .dismissed)
        #expect(phone.card(lasting)?.phase == .active)
    }

    @Test func `cards that are gone are listed up to a limit`() throws {
        var phone = launchedPhone()
        for index in 0..<30 {
            let id = try phone.requestLocally(at: Double(index))
            phone.dismiss(card: id, now: at(Double(index)))
        }
        phone.advance(to: at(30))
        #expect(phone.cards.count == PhoneState.dismissedCardLimit)
    }
}
