import EyotBridge
import EyotContract
import Foundation

/// The protocol between a binding's test and this process: one JSON text for each line, in both directions.
///
/// `{"id", "method", "params"}` is answered by `{"id", "result"}` or `{"id", "error"}`. `observe` begins events,
/// `{"event": "changed", "body"}`, and `unobserve` ends them. Methods that begin with `phone.` change the phone; all
/// others are the bridge's. Each line advances the clock by a second.
@MainActor
final class Conversation {
    private let bridge: LiveActivityBridge
    private let phone: BridgedPhone
    private let say: (JSONValue) -> Void
    private var watching: Task<Void, Never>?

    init(bridge: LiveActivityBridge, phone: BridgedPhone, say: @escaping (JSONValue) -> Void) {
        self.bridge = bridge
        self.phone = phone
        self.say = say
    }

    /// Answers one line.
    func hear(_ line: String) async {
        // Of two changes in one moment a phone may show the first.
        phone.advance(by: 1)
        var id = JSONValue.null
        do {
            var fields = try JSONFields(JSONValue(parsing: line))
            id = fields.value("id") ?? .null
            let method = try fields.required("method", fields.string("method"))
            let params = fields.value("params") ?? [:]
            try fields.finish()
            let answer = try await answer(method, params)
            say(.object(JSONObject([("id", id)] + answer.members.map { ($0.name, $0.value) })))
        } catch {
            say(["id": id, "error": ["code": "testFailed", "message": .string("\(error)")]])
        }
    }

    private func answer(_ method: String, _ params: JSONValue) async throws -> JSONObject {
        switch method {
        case "observe":
            watching?.cancel()
            let changes = bridge.changes()
            watching = Task { for await list in changes { say(["event": "changed", "body": list.json]) } }
        case "unobserve": watching?.cancel()
        case let method where method.hasPrefix("phone."):
            return JSONObject([("result", try PhoneOrder(method, params).carryOut(on: phone))])
        default:
            let answer = await bridge.call(method, Data(params.utf8))
            return try JSONValue(parsing: answer).object ?? JSONObject()
        }
        return JSONObject([("result", .null)])
    }
}
