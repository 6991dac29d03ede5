import EyotBridge
import EyotBridgeProcess
import EyotContract
import Foundation
import PhoneSimulator
import Testing

@MainActor
@Suite("Changes over the bridge", .timeLimit(.minutes(10)))
struct ChangesTests {
    private let rig = Rig()

    @Test func `the first body comes at once, with the cards that run`() async throws {
        try await rig.launch { bridge in
            var empty = bridge.changes().makeAsyncIterator()
            #expect(await empty.next()?.json == ["activities": []])
            let id = try await bridge.startMatch()
            var later = bridge.changes().makeAsyncIterator()
            #expect(await later.next()?.cards.map(\.id) == [id])
        }
    }

    @Test func `a local start, update and end are told, each by itself`() async throws {
        try await rig.launch { bridge in
            var changes = bridge.changes().makeAsyncIterator()
            #expect(await changes.next()?.cards == [])
            let id = try await bridge.startMatch()
            #expect(await changes.next()?.cards.map(\.id) == [id])
            try await bridge.update(id, to: BridgedContent(state: ["score": 1]))
            #expect(await changes.next()?.cards.map(\.content.state) == [["score": 1]])
            try await bridge.end(id)
            #expect(await changes.next()?.cards.map(\.state) == ["ended"])
        }
    }

    @Test func `an end that takes the card away at once is told as its absence`() async throws {
        try await rig.launch { bridge in
            let id = try await bridge.startMatch()
            var changes = bridge.changes().makeAsyncIterator()
            #expect(await changes.next()?.cards.count == 1)
            try await bridge.end(id, dismissal: .immediate)
            #expect(await changes.next()?.cards == [])
        }
    }

    @Test func `a push that starts, changes and ends a card is told`() async throws {
        try await rig.launch { bridge in
            var changes = bridge.changes().makeAsyncIterator()
            #expect(await changes.next()?.cards == [])
            let effect = try rig.app.pushStart("MatchAttributes", attributes: ["match": "f"], state: ["score": 0])
            let id = try #require(effect.card)
            #expect(await changes.next()?.cards.map(\.id) == [id])
            // Several changes, because a late first look at a card may see the first change without any notice of it.
            for score in 1...8 {
                let state: JSONValue = ["score": .integer(score)]
                #expect(try rig.app.push(.update, to: id, state: state) == .updated(card: id))
                #expect(await changes.next()?.cards.map(\.content.state) == [state])
            }
            #expect(try rig.app.push(.end, to: id, state: ["score": 9]) == .ended(card: id))
            #expect(await changes.next()?.cards.map(\.state) == ["ended"])
        }
    }

    @Test func `a dismissal is told, and so is a card that goes stale`() async throws {
        try await rig.launch { bridge in
            let stale = Date(timeIntervalSince1970: 1_671_375_660)
            let card = try await bridge.start(
                "MatchAttributes", attributes: ["match": "final"],
                content: BridgedContent(state: ["score": 0], staleDate: stale))
            var changes = bridge.changes().makeAsyncIterator()
            #expect(await changes.next()?.cards == [card])
            rig.app.advance(by: 61)
            #expect(await changes.next()?.cards.map(\.state) == ["stale"])
            rig.app.phone.dismiss(card: card.id)
            #expect(await changes.next()?.cards == [])
        }
    }

    @Test func `the cards stand in the order of their ids, whatever their types`() async throws {
        try await rig.launch { bridge in
            for number in 0..<2 {
                try await bridge.startMatch("\(number)")
                try await bridge.start(
                    "DeliveryAttributes", attributes: ["order": .integer(number)],
                    content: BridgedContent(state: ["due": 1]))
            }
            var changes = bridge.changes().makeAsyncIterator()
            let ids = try #require(await changes.next()).cards.map(\.id)
            #expect(ids.count == 4 && ids == ids.sorted())
        }
    }

    @Test func `what leaves everything as it is tells nothing`() async throws {
        try await rig.launch { bridge in
            let id = try await bridge.startMatch(score: 1)
            var changes = bridge.changes().makeAsyncIterator()
            #expect(await changes.next()?.cards.count == 1)
            try await bridge.update(id, to: BridgedContent(state: ["score": 1]))
            rig.app.phone.rotateToken(ofCard: id)
            rig.app.advance(by: 1)
            try await bridge.update(id, to: BridgedContent(state: ["score": 2]))
            #expect(await changes.next()?.cards.map(\.content.state) == [["score": 2]])
        }
    }

    @Test func `a type that is registered later is watched, too`() async throws {
        try await rig.launch(registering: false) { bridge in
            var changes = bridge.changes().makeAsyncIterator()
            #expect(await changes.next()?.cards == [])
            try bridge.register(MatchAttributes.self)
            let effect = try rig.app.pushStart("MatchAttributes", attributes: ["match": "f"], state: ["score": 0])
            let id = try #require(effect.card)
            #expect(await changes.next()?.cards.map(\.id) == [id])
        }
    }

    @Test func `readers do not disturb each other, and nobody watches for one that has gone`() async throws {
        try await rig.launch { bridge in
            let id = try await bridge.startMatch()
            var staying = bridge.changes().makeAsyncIterator()
            #expect(await staying.next()?.cards.count == 1)
            // Arrivals of each type, states and content of the card.
            await openStreams(4)
            do {
                var leaving = bridge.changes().makeAsyncIterator()
                #expect(await leaving.next()?.cards.count == 1)
                await openStreams(8)
            }
            await openStreams(4)
            try await bridge.update(id, to: BridgedContent(state: ["score": 1]))
            #expect(await staying.next()?.cards.map(\.content.state) == [["score": 1]])
        }
    }

    /// Waits until the given number of the phone's streams have listeners. The time limit bounds the wait.
    private func openStreams(_ count: Int) async {
        while rig.app.phone.openStreams != count, !Task.isCancelled { await Task.yield() }
    }
}
