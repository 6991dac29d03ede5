import EyotCommands
import EyotContract

/// Tokens of channels as Airship's SDK reports them, one channel a line. The last token counts unless it was removed
/// later.
struct AirshipTokenList {
    let lines: [TokenFile.Line]

    init(_ channels: [TokenFile.Line]) throws {
        lines = try channels.flatMap { channel in
            let members = channel.json.object ?? JSONObject()
            guard let id = (members["channel_id"] ?? members["channel"])?.string else {
                throw TokenFile.Failure("line \(channel.number) has no channel_id")
            }
            var head = JSONObject([("installation", .string(id))])
            head["user"] = (members["named_user"] ?? members["named_user_id"]).flatMap { $0 == .null ? nil : $0 }
            let entries = (members["live_activities"]?.array ?? []).compactMap(\.object)
            return Self.last(entries).map { entry in
                var line = head
                if Self.isStart(entry) {
                    line["type"] = entry["attributes_type"]
                    line["startToken"] = entry["token"]
                } else {
                    line["activity"] = entry["name"]
                    line["instance"] = entry["id"]
                    line["updateToken"] = entry["token"]
                }
                return TokenFile.Line(number: channel.number, json: .object(line))
            }
        }
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
