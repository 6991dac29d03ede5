import EyotCommands
import EyotContract

/// Braze's token events, from Currents or Snowflake. The last event of each device and type, or of each device and
/// activity, counts.
struct BrazeTokens {
    let lines: [TokenFile.Line]

    /// - Parameter events: in the order in which they happened, or with `time`.
    init(_ events: [TokenFile.Line]) throws {
        var last: [String: (time: Double, line: TokenFile.Line?)] = [:]
        for event in events {
            let members = Self.members(event.json)
            guard let installation = members["device_id"]?.string else {
                throw TokenFile.Failure("line \(event.number) has no device_id")
            }
            var line = JSONObject([("installation", .string(installation))])
            line["user"] = members["external_user_id"]
            let isStart = members["push_to_start_token"] != nil
            let key = isStart ? members["activity_attributes_type"] : members["activity_id"]
            line[isStart ? "type" : "activity"] = key
            line[isStart ? "startToken" : "updateToken"] = members[isStart ? "push_to_start_token" : "update_token"]
            switch members["ios_push_token_apns_gateway"].flatMap({ $0.integer ?? $0.string.flatMap { Int($0) } }) {
            case 1: line["environment"] = "sandbox"
            case 2: line["environment"] = "production"
            default: break
            }
            let isGone = members["push_token_state_change_type"]?.string?.lowercased().hasPrefix("remove") == true
            let time = members["time"].flatMap { $0.double ?? $0.string.flatMap { Double($0) } } ?? 0
            let place = "\(installation)\n\(isStart)\n\(key?.string ?? "")"
            if let former = last[place], former.time > time { continue }
            last[place] = (time, isGone ? nil : TokenFile.Line(number: event.number, json: .object(line)))
        }
        lines = last.values.compactMap(\.line).sorted { $0.number < $1.number }
    }

    /// Returns an event's members. Currents has them below `properties`, and Snowflake has them in capitals.
    private static func members(_ event: JSONValue) -> JSONObject {
        let own = event.object?.members ?? []
        let inner = event.object?["properties"]?.object?.members ?? []
        return JSONObject((own + inner).filter { $0.value != .null }.map { ($0.name.lowercased(), $0.value) })
    }
}
