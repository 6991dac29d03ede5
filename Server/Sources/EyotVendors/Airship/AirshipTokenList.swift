import EyotCommands
import EyotContract

/// Tokens of channels as Airship's SDK reports them, one channel a line. The last token counts unless it was removed
/// later.
struct AirshipTokenList {
    let lines: [TokenFile.Line]

    init(_ channels: [TokenFile.Line]) throws {
        var found: [String: (line: TokenFile.Line, user: JSONValue?, entries: [JSONObject])] = [:]
        var refused: [TokenFile.Line] = []
        for channel in channels {
            let members = channel.json.object ?? JSONObject()
            guard let id = (members["channel_id"] ?? members["channel"])?.string else {
                refused.append(channel.refused("channel_id is missing, so the tokens belong to no known phone"))
                continue
            }
            guard let entries = members["live_activities"]?.array else {
                refused.append(channel.refused("live_activities is missing, or is no list"))
                continue
            }
            // A channel that stands in several lines is as its last line says, with the tokens of all.
            let user = (members["named_user"] ?? members["named_user_id"]).flatMap { $0 == .null ? nil : $0 }
            found[id] = (channel, user, (found[id]?.entries ?? []) + entries.compactMap(\.object))
        }
        let taken = found.flatMap { id, channel in
            var head = JSONObject([("installation", .string(id))])
            head["user"] = channel.user
            return Self.last(channel.entries).map { entry in
                var line = head
                if Self.isStart(entry) {
                    line["type"] = entry["attributes_type"]
                    line["startToken"] = entry["token"]
                } else {
                    line["activity"] = entry["name"]
                    line["instance"] = entry["id"]
                    line["updateToken"] = entry["token"]
                }
                return TokenFile.Line(number: channel.line.number, json: .object(line))
            }
        }
        // The order of a channel's own lines is kept.
        lines = (taken + refused).enumerated().sorted {
            ($0.element.number, $0.offset) < ($1.element.number, $1.offset)
        }
        .map(\.element)
    }

    /// Older versions of Airship's SDK know only update tokens, and name no type.
    private static func isStart(_ entry: JSONObject) -> Bool { entry["type"] == "start_token" }

    private static func last(_ entries: [JSONObject]) -> [JSONObject] {
        var last: [String: JSONObject] = [:]
        for entry in entries {
            let names = isStart(entry) ? ["attributes_type"] : ["id", "name"]
            let place = "\(isStart(entry)) " + names.map { entry[$0]?.text ?? "" }.joined(separator: " ")
            let time = { (entry: JSONObject) in entry["action_ts_ms"]?.double ?? 0 }
            if let former = last[place], time(former) > time(entry) { continue }
            last[place] = entry
        }
        return last.sorted { $0.key < $1.key }.map(\.value).filter { $0["action"] != "remove" }
    }
}
