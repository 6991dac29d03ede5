import EyotBridge
import EyotBridgeProcess
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

/// The phone of a test, and the bridge on it with both types.
@MainActor
struct Rig {
    let app = BridgedPhone()

    /// One launch of the app.
    func launch(
        registering types: Bool = true, capabilities: Capabilities = Capabilities(iOS: 18, 1),
        _ body: (LiveActivityBridge) async throws -> Void
    ) async throws {
        try await PhoneProcess.$current.withValue(app.phone.launch()) {
            let bridge = LiveActivityBridge(capabilities: capabilities)
            if types {
                try bridge.register(MatchAttributes.self)
                try bridge.register(DeliveryAttributes.self)
            }
            try await body(bridge)
        }
    }

    /// The card with this id, as the phone shows it.
    func card(_ id: String) throws -> SimulatedCard { try #require(app.phone.state.card(id)) }
}

extension LiveActivityBridge {
    /// A call as a binding makes it.
    func call(_ method: String, _ request: JSONValue = [:]) async throws -> JSONValue {
        try JSONValue(parsing: await call(method, Data(request.utf8)))
    }

    /// The result of a call that succeeds.
    func result(_ method: String, _ request: JSONValue = [:]) async throws -> JSONValue {
        let answer = try await call(method, request)
        return try #require(answer["result"], "\(answer.text)")
    }

    /// The code and the message of a call that fails.
    func error(_ method: String, _ request: JSONValue) async throws -> String {
        let error = try #require(try await call(method, request)["error"])
        return "\(error["code"]?.string ?? ""): \(error["message"]?.string ?? "")"
    }

    /// Starts a card of a match.
    @discardableResult
    func startMatch(_ match: String = "final", score: Int = 0) async throws -> String {
        try await start(
            "MatchAttributes", attributes: ["match": .string(match)],
            content: BridgedContent(state: ["score": .integer(score)])
        ).id
    }
}

extension JSONValue {
    /// A member, where this is an object that has it.
    subscript(name: String) -> JSONValue? { object?[name] }
}
