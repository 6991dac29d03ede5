import EyotContract
import Foundation
import PhoneSimulator
import Testing

/// Which cards a person sees, where, and how soon.
struct ScreenTests {
    @Test func `the Lock Screen is in the order of relevance, and of equals in that of the start`() throws {
        var phone = launchedPhone()
        let ids = try [5.0, 9, 9, 1].enumerated().map { try phone.requestLocally(at: Double($0), score: $1) }
        #expect(phone.lockScreen.map(\.id) == [ids[1], ids[2], ids[0], ids[3]])
        #expect(phone.leadingCard?.id == ids[1])
        phone.dismiss(card: ids[2], now: at(10))
        #expect(phone.lockScreen.map(\.id) == [ids[1], ids[0], ids[3]])
        #expect(phone.json.object?["lockScreen"]?.array?.first?.string == ids[1])
    }

    @Test func `an ended card leaves the island at once and keeps its place below it, unless the switch says no`()
        throws
    {
        for goesLast in [false, true] {
            var phone = launchedPhone { $0.endedCardsGoLast = goesLast }
            let first = try phone.requestLocally(at: 0, score: 9)
            let second = try phone.requestLocally(at: 1, score: 5)
            phone.end(card: first, content: nil, dismissal: .standard, now: at(10))
            #expect(phone.leadingCard?.id == second)
            #expect(phone.lockScreen.map(\.id) == (goesLast ? [second, first] : [first, second]))
        }
    }

    @Test func `a phone without Dynamic Island has the Lock Screen alone`() throws {
        var plain = configuration()
        plain.hasDynamicIsland = false
        var phone = PhoneState(plain)
        phone.launch(now: at(0))
        _ = try phone.requestLocally()
        #expect(phone.leadingCard == nil && phone.lockScreen.count == 1)
    }

    @Test func `the limits of app and phone stop local and pushed starts`() throws {
        var phone = launchedPhone {
            $0.maximumCards = 3
            $0.maximumCardsOnPhone = 4
        }
        phone.showCards(ofOtherApps: 3, now: at(0))
        _ = try phone.requestLocally(at: 1)
        #expect(throws: CardRefusal.globalMaximumExceeded) { try phone.requestLocally(at: 2) }
        #expect(try phone.start(at: 3).reason == .tooManyCards)
        phone.showCards(ofOtherApps: 0, now: at(4))
        _ = try (5...6).map { try phone.requestLocally(at: Double($0)) }
        #expect(throws: CardRefusal.targetMaximumExceeded) { try phone.requestLocally(at: 7) }
    }

    @Test func `an ended card makes room, unless the switch says no`() throws {
        for counts in [false, true] {
            var phone = launchedPhone {
                $0.maximumCards = 1
                $0.endedCardsCount = counts
            }
            _ = try phone.start()
            _ = try phone.change("end", stamped: 10, arriving: 10)
            #expect(try phone.start(at: 20).reason == (counts ? .tooManyCards : nil))
        }
    }

    @Test func `a swiped card is dismissed to its app, and ended before where the switch says so`() throws {
        for endsFirst in [false, true] {
            var phone = launchedPhone { $0.swipeEndsFirst = endsFirst }
            let id = try phone.requestLocally()
            _ = phone.takeEvents()
            phone.dismiss(card: id, now: at(10))
            let phases = phone.takeEvents().compactMap { event -> CardPhase? in
                if case .phase(_, let phase) = event { phase } else { nil }
            }
            #expect(phases == (endsFirst ? [.ended, .dismissed] : [.dismissed]))
            #expect(phone.card(id)?.endedAt == at(10) && phone.card(id)?.removedAt == at(10))
        }
    }

    @Test func `switched off, Live Activities are gone from view, unless the switch says no`() throws {
        for removes in [true, false] {
            var phone = launchedPhone { $0.disablingRemovesCards = removes }
            _ = try phone.requestLocally()
            phone.change(settings: PhoneSettings(activitiesEnabled: false), now: at(1))
            #expect(phone.lockScreen.isEmpty == removes)
            #expect(
                phone.receive(push(try required(phone.startToken), payload("start", at: 2)), now: at(2)).reason
                    == .activitiesDisabled)
        }
    }

    // MARK: How soon

    @Test func `every update is on the screen at once, unless the phone takes its time`() throws {
        var phone = launchedPhone()
        _ = try phone.start()
        for second in 1...20 {
            _ = try phone.change("update", stamped: Double(second), arriving: Double(second), score: "\(second)-0")
            #expect(phone.shownScore == "\(second)-0")
        }
        #expect(phone.cards.first?.shown.count == 21)
    }

    @Test func `where contents stay for five seconds, the newest comes next and those between are never seen`() throws {
        var phone = launchedPhone { $0.renderInterval = 5 }
        _ = try phone.start()
        let id = try required(phone.cards.first?.id)
        for second in 1...4 {
            _ = try phone.change("update", stamped: Double(second), arriving: Double(second), score: "\(second)-0")
        }
        #expect(phone.score == "4-0" && phone.shownScore == "0-0")
        #expect(phone.json.object?["cards"]?.array?.first?.object?["shownState"] == ["score": "0-0"])
        #expect(phone.nextMoment == at(5))
        phone.advance(to: at(5))
        #expect(phone.shownScore == "4-0" && phone.cards.first?.shown.since == at(5))
        phone.update(card: id, to: CardContent(state: ["score": "local"]), now: at(7))
        #expect(phone.shownScore == "4-0")
        phone.advance(to: at(100))
        #expect(phone.shownScore == "local" && phone.cards.first?.shown.since == at(10))
        phone.update(card: id, to: CardContent(state: ["score": "later"]), now: at(101))
        #expect(phone.shownScore == "later" && phone.cards.first?.shown.count == 4)
    }

    @Test func `before iOS 18 contents come at once`() throws {
        var phone = launchedPhone(os: IOSVersion(17, 5)) { $0.renderInterval = 5 }
        _ = try phone.start()
        _ = try phone.change("update", stamped: 1, arriving: 1, score: "1-0")
        #expect(phone.shownScore == "1-0")
    }

    @Test func `a scheduled card begins with its newest content`() throws {
        var phone = launchedPhone { $0.renderInterval = 5 }
        var request = LocalTests.asked()
        request.startDate = at(hour)
        let id = try phone.request(request, now: at(0))
        phone.update(card: id, to: CardContent(state: ["score": "newest"]), now: at(1))
        phone.advance(to: at(hour))
        #expect(phone.shownScore == "newest" && phone.cards.first?.shown.since == at(hour))
    }
}

extension PhoneState {
    /// The score on the screen.
    fileprivate var shownScore: String? { cards.first?.shown.content.state.object?["score"]?.string }
}
