import EyotCommands
import EyotContract
import EyotDomain

extension PhoneOfVersion {
    /// The line of a phone.
    var json: JSONValue {
        var object = JSONObject([
            ("ordinal", .integer(view.replica.ordinal)), ("device", .string(String(view.replica.device.rawValue))),
        ])
        object["user"] = view.user.map(JSONValue.string)
        object["build"] = view.build.map(JSONValue.string)
        object["phase"] = .string(view.replica.word)
        object["outcome"] = .string(fate.word)
        object["reason"] = reason.map(JSONValue.string)
        if case .accepted(let acceptance) = fate {
            object["at"] = acceptance.at.map { .string($0.rfc3339) }
            object["via"] = .string(acceptance.isBroadcast ? "channel" : "token")
            object["event"] = acceptance.event.map { .string($0.rawValue) }
            object["hasAlert"] = .bool(acceptance.hasAlert)
            object["apnsId"] = acceptance.apnsID.map(JSONValue.string)
        }
        object["shown"] = view.shown
        return .object(object)
    }

    /// Why, as a word of Eyot or of Apple.
    var reason: String? {
        switch fate {
        case .due: view.replica.retry?.reason?.name ?? view.replica.pendingReason?.rawValue
        case .refused(let reason): reason?.name
        case .notStarted(let failure): failure.rawValue
        case .gone(let reason): reason
        case .accepted, .withheld, .superseded, .notForCard, .leftOut, .forgotten: nil
        }
    }

    /// The columns of a table of phones.
    static let columns = [
        "ordinal", "device", "user", "build", "phase", "outcome", "reason", "at", "via", "event", "hasAlert", "apnsId",
        "shownVersion", "shownAt",
    ]

    /// The cells of the columns.
    var cells: [String] {
        let object = json.object ?? JSONObject()
        let shown = object["shown"]?.object
        return Self.columns.map { column in
            let value =
                switch column {
                case "shownVersion": shown?["version"]
                case "shownAt": shown?["at"]
                default: object[column]
                }
            return value.map { $0.string ?? $0.text } ?? ""
        }
    }
}
