import EyotContract
import Foundation

extension LiveActivityBridge {
    /// Carries out a call from JavaScript or Dart. It never throws: an error is in the answer.
    ///
    /// | method | request | result |
    /// |---|---|---|
    /// | `start` | `{attributesType, attributes, content}` | the card |
    /// | `update` | `{activityId, attributesType?, content}` | `null` |
    /// | `end` | `{activityId, attributesType?, content?, dismissalPolicy?}` | `null` |
    /// | `list` | `{attributesType}` | an array of cards |
    /// | `listAll` | `{}`, or nothing | an array of cards |
    ///
    /// `content` is `{state, staleDate?, relevanceScore?}`. `dismissalPolicy` is `{"type": "default"}`,
    /// `{"type": "immediate"}` or `{"type": "after", "date": …}`. Dates are ISO 8601 with a zone. `attributeTypes` is
    /// another name for `attributesType`.
    ///
    /// - Parameter request: JSON in UTF-8, at most ``requestLimit`` bytes.
    /// - Returns: `{"result": …}`, or `{"error": {"code": …, "message": …}}` with a ``BridgeError``.
    public nonisolated func call(_ method: String, _ request: Data) async -> Data {
        let answer: JSONValue
        do throws(BridgeError) {
            answer = ["result": try await result(of: BridgeCall(method, request))]
        } catch {
            answer = Self.answer(error)
        }
        return Data(answer.utf8)
    }

    /// Carries out a call with ``shared``. The native half of a binding needs nothing else. See ``call(_:_:)``.
    public nonisolated static func answer(_ method: String, _ request: String) async -> String {
        guard let bridge = await shared else {
            return answer(BridgeError(.notSetUp, "the app has not set LiveActivityBridge.shared yet")).text
        }
        return String(decoding: await bridge.call(method, Data(request.utf8)), as: UTF8.self)
    }

    private nonisolated static func answer(_ error: BridgeError) -> JSONValue { ["error": error.json] }

    private nonisolated func result(of call: BridgeCall) async throws(BridgeError) -> JSONValue {
        switch call {
        case .start(let type, let attributes, let content):
            return try await start(type, attributes: attributes, content: content).json
        case .update(let id, let type, let content): try await update(id, of: type, to: content)
        case .end(let id, let type, let content, let dismissal):
            try await end(id, of: type, showing: content, dismissal: dismissal)
        case .list(let type): return .array(try await list(type).cards.map(\.json))
        case .listAll: return .array(try await listAll().cards.map(\.json))
        }
        return .null
    }
}
