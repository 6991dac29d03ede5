import EyotCommands
import EyotContract
import EyotDomain

extension Canary {
    /// The progress of the canary.
    var json: JSONValue {
        var object = JSONObject([
            ("version", .integer(version)), ("percent", .finite(terms.percent) ?? .null),
            ("maximumRefusals", .finite(terms.maximumRefusals) ?? .null),
            ("waitSeconds", .finite(terms.waitSeconds) ?? .null), ("upToOrdinal", .integer(upTo)),
            ("accepted", .integer(answers.accepted)), ("refused", .integer(answers.refused)),
            ("unknown", .integer(answers.unknown)),
        ])
        switch stage {
        case .delivering: object["state"] = "delivering"
        case .waiting(let until):
            object["state"] = "waiting"
            object["goesOnAt"] = .string(until.rfc3339)
        case .passed(let at):
            object["state"] = "passed"
            object["passedAt"] = .string(at.rfc3339)
        case .failed(let at, _):
            object["state"] = "failed"
            object["failedAt"] = .string(at.rfc3339)
        }
        return .object(object)
    }
}
