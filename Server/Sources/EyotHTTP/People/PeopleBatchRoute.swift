import EyotCommands
import EyotContract
import EyotDomain

extension Route {
    /// Returns a route that merges traits of many users or devices. It uses many short transactions, so the outcome of
    /// a line does not depend on other lines.
    static func peopleBatch(_ path: String, of subject: PeopleBatch.Subject, _ backend: Backend) -> Route {
        .bulk(path, .key(.peopleWrite), bodyLimit: PeopleBatch.bodyBytes) { call in
            let app = try call.app.id
            var batch = try PeopleBatch(of: subject, call)
            let unfinished = try await backend.eachPart(of: batch.parts) { part in
                batch.note(try await backend.store.write { try PeopleBatch.apply(part, to: $0, app: app) })
            }
            if let unfinished { batch.note(unfinished.error, of: unfinished.parts.joined()) }
            var answer = Answer(
                .ok,
                [
                    "applied": .integer(batch.applied), "failed": .integer(batch.failed),
                    "errors": .array(batch.failures.map(\.json)),
                ])
            answer.faults = [unfinished?.fault].compactMap(\.self)
            return answer
        }
    }
}

extension PeopleBatch {
    fileprivate init(of subject: Subject, _ call: Call) throws {
        if call.hasLines {
            try self.init(of: subject, lines: call.body)
        } else {
            try self.init(of: subject, json: call.json())
        }
    }
}

extension PeopleBatch.Failure {
    fileprivate var json: JSONValue {
        var object = JSONObject([("line", .integer(line))])
        object["id"] = id.map(JSONValue.string)
        object["code"] = .string(error.code.rawValue)
        object["detail"] = .string(error.detail)
        object["field"] = error.field.map(JSONValue.string)
        return .object(object)
    }
}
