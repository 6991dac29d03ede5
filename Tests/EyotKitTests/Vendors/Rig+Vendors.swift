import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

extension Rig {
    /// Runs one launch of an app with this launch's instance as the shared instance.
    func app(_ body: (Eyot) async throws -> Void) async throws {
        try await launch { eyot in try await eyot.asShared { try await body(eyot) } }
    }

    /// Starts a card from within the app.
    func card<A: ActivityAttributes>(_ attributes: A, _ state: A.ContentState) throws -> Activity<A> {
        try Activity.request(
            attributes: attributes, content: ActivityContent(state: state, staleDate: nil), pushType: .token)
    }

    /// Starts a card by a push, as soon as the server knows the start token of its type.
    func pushStart(_ type: String, attributes: JSONValue, state: JSONValue) async throws {
        await server.wait { $0.startable.contains(type) }
        let seconds = Int(clock.now().timeIntervalSince1970)
        let payload: JSONValue = [
            "aps": [
                "timestamp": .integer(seconds), "event": "start", "content-state": state,
                "attributes-type": .string(type), "attributes": attributes,
                "alert": ["title": "Off it goes", "body": "Have a look"],
            ]
        ]
        let effect = phone.receive(
            DeliveredPush(
                token: try #require(phone.state.startToken), topic: "com.example.match.push-type.liveactivity",
                payload: payload.utf8))
        #expect(effect.word == "started", "\(effect)")
    }
}

extension ScriptedServer.Books {
    /// The types with a start token on the server.
    var startable: Set<String> {
        actions.reduce(into: []) { types, action in
            switch action {
            case .setStartToken(let type, _): types.insert(type)
            case .removeStartToken(let type): types.remove(type)
            default: break
            }
        }
    }

    /// The names of the cards with a token on the server.
    var named: Set<String> {
        Set(actions.compactMap { if case .setUpdateToken(let card, _) = $0 { card.name } else { nil } })
    }
}
