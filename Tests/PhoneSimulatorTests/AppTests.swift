import EyotContract
import Foundation
import PhoneSimulator
import Testing

/// How long the app runs, and what wakes it.
struct AppTests {
    @Test func `a new token wakes the app, and after a force-quit only where the switch says so`() throws {
        for wakes in [true, false] {
            var phone = launchedPhone(settings: PhoneSettings(allowed: .afterAsking)) { $0.wakesForceQuitApp = wakes }
            _ = try phone.start()
            phone.terminateBySystem(now: at(1))
            _ = phone.takeEvents()
            phone.pressAllow(now: at(2))
            #expect(phone.run == .background)
            let events = phone.takeEvents()
            let token = try required(phone.cards.first?.updateToken)
            let card = try required(phone.cards.first?.id)
            #expect(events == [.tokenBorn(token), .updateToken(card: card, token), .launched(generation: 2, .token)])
            phone.forceQuit(now: at(3))
            phone.rotateToken(ofCard: card, now: at(4))
            #expect(phone.run == (wakes ? .background : .notRunning))
        }
    }

    @Test func `an update wakes nobody`() throws {
        var phone = launchedPhone()
        _ = try phone.start()
        phone.terminateBySystem(now: at(1))
        _ = try phone.change("update", stamped: 2, arriving: 2)
        _ = try phone.change("end", stamped: 3, arriving: 3)
        #expect(phone.run == .notRunning)
    }

    @Test func `in the background the app runs on, unless it has so many seconds`() throws {
        for limit in [nil, 30] as [TimeInterval?] {
            var phone = launchedPhone { $0.backgroundTime = limit }
            phone.advance(to: at(hour))
            #expect(phone.run == .foreground && phone.nextMoment == nil)
            phone.moveToBackground(now: at(hour))
            #expect(phone.nextMoment == limit.map { at(hour + $0) })
            phone.advance(to: at(hour + 29))
            #expect(phone.run == .background)
            phone.advance(to: at(hour + 30))
            #expect(phone.run == (limit == nil ? .background : .notRunning))
            phone.launch(now: at(2 * hour))
            #expect(phone.generation == (limit == nil ? 1 : 2))
        }
    }

    @Test func `a pushed start gives an app in the background its seconds anew`() throws {
        var phone = launchedPhone { $0.backgroundTime = 30 }
        phone.moveToBackground(now: at(0))
        _ = try phone.start(at: 20)
        phone.advance(to: at(49))
        #expect(phone.run == .background)
        _ = try phone.change("update", stamped: 49, arriving: 49)
        phone.advance(to: at(50))
        #expect(phone.run == .notRunning)
        _ = try phone.start(at: 60)
        #expect(phone.run == .background && phone.generation == 2)
    }

    @Test func `another build does not decode what the server of the old one sends`() throws {
        let phone = SimulatedPhone(configuration(), clock: { kickOff })
        phone.launch()
        let start = try required(phone.state.startToken)
        phone.receive(push(start, payload("start", at: 0)))
        let strict = PayloadCheck(
            type: "Match", attributes: { _ in nil },
            contentState: { $0.object?["minute"] == nil ? "minute: is missing" : nil })
        phone.updateApp(types: [strict])
        #expect(phone.process == nil && phone.state.score == "0-0")
        let token = try required(phone.state.cards.first?.updateToken)
        let old = phone.receive(push(token, payload("update", at: 1)))
        #expect(old.reason == .decodeFailed("Unable to decode content state: minute: is missing"))
        let new = phone.receive(push(token, payload("update", at: 1, extra: [("content-state", ["minute": 1])])))
        #expect(new.reason == nil)
        #expect(phone.state.startToken == start)
    }

    // MARK: What a process follows

    @Test func `a process that comes late finds cards and tokens in its sequences, unless the switches say no`()
        async throws
    {
        for replays in [true, false] {
            let phone = SimulatedPhone(
                configuration {
                    $0.replaysCards = replays
                    $0.replaysUpdateToken = replays
                }, clock: { kickOff })
            let process = phone.launch()
            let card = try process.request(LocalTests.asked())
            let token = try required(phone.state.cards.first?.updateToken)
            let (ids, tokens) = (process.cardIDs(ofType: "Match"), process.updateTokens(ofCard: card.id))
            let second = try process.request(LocalTests.asked())
            let rotated = try required(phone.rotateToken(ofCard: card.id))
            // Looking finds them in any case.
            #expect(process.cards(ofType: "Match").count == 2 && process.card(card.id)?.updateToken == rotated)
            phone.forceQuit()
            #expect(await collected(ids) == (replays ? [card.id, second.id] : [second.id]))
            #expect(await collected(tokens) == (replays ? [token, rotated] : [rotated]))
        }
    }

    @Test func `a card's sequences end when it goes from view, unless the switch says that the process ends them`()
        async throws
    {
        for ends in [true, false] {
            let phone = SimulatedPhone(configuration { $0.cardStreamsEnd = ends }, clock: { kickOff })
            let process = phone.launch()
            let card = try process.request(LocalTests.asked())
            let (phases, contents) = (process.phases(ofCard: card.id), process.contents(ofCard: card.id))
            let tokens = process.updateTokens(ofCard: card.id)
            phone.dismiss(card: card.id)
            #expect(phone.openStreams == (ends ? 0 : 3))
            let late = process.phases(ofCard: card.id)
            #expect(phone.openStreams == (ends ? 0 : 4))
            phone.forceQuit()
            #expect(phone.openStreams == 0)
            #expect(await collected(phases) == [.active, .dismissed])
            #expect(await collected(contents).count == 1)
            #expect(await collected(tokens).count == 1)
            #expect(await collected(late) == [.dismissed])
        }
    }

    private func collected<Element>(_ stream: AsyncStream<Element>) async -> [Element] {
        var elements: [Element] = []
        for await element in stream { elements.append(element) }
        return elements
    }
}
