import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct SimulatedPhoneTests {
    private let phone = SimulatedPhone(configuration(), clock: { kickOff })

    @Test func `whoever boots the app hears of every launch and every end`() async throws {
        let events = phone.processEvents()
        phone.launch()
        phone.moveToBackground()
        phone.terminateBySystem()
        let token = try required(phone.state.startToken)
        phone.receive(push(token, payload("start", at: 0)))
        var seen: [PhoneEvent] = []
        for await event in events {
            seen.append(event)
            if seen.count == 4 { break }
        }
        #expect(
            seen == [
                .launched(generation: 1, .person), .moved(generation: 1, .background), .terminated(generation: 1),
                .launched(generation: 2, .push),
            ])
    }

    @Test func `the streams of a process end with it, and it sees nothing new`() async throws {
        let process = phone.launch()
        let card = try process.request(LocalTests.asked())
        let phases = process.phases(ofCard: card.id)
        let tokens = process.updateTokens(ofCard: card.id)
        phone.forceQuit()
        phone.dismiss(card: card.id)
        #expect(await collected(phases) == [.active])
        #expect(await collected(tokens).count == 1)
        #expect(!process.isAlive && process.card(card.id) == nil && process.startToken == nil)
        #expect(await collected(process.cardIDs(ofType: "Match")).isEmpty)
        #expect(throws: CardRefusal.missingProcessIdentifier) { try process.request(LocalTests.asked()) }
        let next = phone.launch()
        #expect(next.generation == 2 && next.isAlive && !process.isAlive)
    }

    @Test func `a card's streams tell what is there, then what comes, and end when it goes`() async throws {
        let process = phone.launch()
        let card = try process.request(LocalTests.asked())
        let phases = process.phases(ofCard: card.id)
        let contents = process.contents(ofCard: card.id)
        process.update(card: card.id, to: CardContent(state: ["score": "1-0"]), timestamp: at(1))
        process.end(card: card.id, content: nil, dismissal: .immediate, timestamp: at(2))
        #expect(await collected(phases) == [.active, .ended, .dismissed])
        #expect(await collected(contents).map(\.state) == [["score": "0-0"], ["score": "1-0"]])
        #expect(await collected(process.phases(ofCard: card.id)) == [.dismissed])
    }

    @Test func `a new listener gets the start token, unless the phone keeps silent`() async throws {
        for replays in [true, false] {
            let phone = SimulatedPhone(configuration { $0.replaysStartToken = replays }, clock: { kickOff })
            let tokens = phone.launch().startTokens()
            let first = try required(phone.state.startToken)
            let second = try required(phone.rotateStartToken())
            phone.forceQuit()
            #expect(await collected(tokens) == (replays ? [first, second] : [second]))
        }
    }

    @Test func `settings are followed`() async {
        let process = phone.launch()
        let enabled = process.activitiesEnabledChanges()
        let frequent = process.frequentPushesEnabledChanges()
        phone.changeSettings { $0.activitiesEnabled = false }
        phone.changeSettings { $0.frequentPushesEnabled = false }
        #expect(!process.activitiesEnabled && !process.frequentPushesEnabled)
        phone.changeSettings { $0.activitiesEnabled = true }
        phone.forceQuit()
        #expect(await collected(enabled) == [false, true])
        #expect(await collected(frequent) == [false])
    }

    @Test func `a slow reader loses the oldest elements`() async throws {
        let process = phone.launch()
        let card = try process.request(LocalTests.asked())
        let contents = process.contents(ofCard: card.id)
        for index in 1...SimulatedPhone.streamBufferLimit {
            let content = CardContent(state: ["score": .string(String(index))])
            process.update(card: card.id, to: content, timestamp: at(Double(index)))
        }
        phone.forceQuit()
        let seen = await collected(contents)
        #expect(seen.count == SimulatedPhone.streamBufferLimit)
        #expect(seen.first?.state == ["score": "1"])
    }

    @Test func `many tasks at once lose nothing`() async throws {
        phone.launch()
        let token = try required(phone.state.startToken)
        let phone = phone
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { phone.receive(push(token, payload("start", at: 0))) } }
        }
        #expect(phone.state.pushes.total == 50)
        #expect(phone.state.cards.count == PhoneRules().maximumCards)
    }

    @Test func `the JSON view says what came, what the phone did and why`() throws {
        phone.launch()
        let token = try required(phone.state.startToken)
        phone.receive(push(token, payload("start", at: 0, score: "3-3")))
        phone.receive(push(token, payload("start", at: 0, extra: [("alert", .null)])))
        let json = try required(phone.state.json.object)
        #expect(json["startToken"]?.string == token.hex)
        let card = try required(json["cards"]?.array?.first?.object)
        #expect(card["state"] == "active" && card["leads"] == true && card["contentState"] == ["score": "3-3"])
        #expect(card["updateToken"]?.string?.count == 160)
        let pushes = try required(json["pushes"]?.array)
        #expect(pushes.map { $0.object?["effect"]?.string } == ["started", "ignored"])
        #expect(pushes.last?.object?["reason"] == "missingAlert")
        #expect(try JSONValue(parsing: phone.state.json.utf8) == phone.state.json)
    }

    private func collected<Element>(_ stream: AsyncStream<Element>) async -> [Element] {
        var elements: [Element] = []
        for await element in stream { elements.append(element) }
        return elements
    }
}
