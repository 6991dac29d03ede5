import EyotContract
import PhoneSimulator

/// A maker of bad bodies out of good ones.
enum FuzzedBody {
    static func spoiled(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        guard Int.random(in: 0..<6, using: &random) > 0, let json = try? JSONValue(parsing: bytes) else {
            return spoiledBytes(bytes, using: &random)
        }
        var spoiled = json
        for _ in 0...Int.random(in: 0...2, using: &random) {
            var place = Int.random(in: 0..<count(spoiled), using: &random)
            spoiled = change(spoiled, at: &place, using: &random)
        }
        return written(spoiled, using: &random)
    }

    // MARK: Bytes

    private static func spoiledBytes(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        guard !bytes.isEmpty else { return [0] }
        var bytes = bytes
        let index = bytes.indices.pick(using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: bytes.removeLast(bytes.count - index)
        case 1: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        case 2: bytes.insert(contentsOf: [0xC3, 0x28], at: index)
        case 3: bytes.insert(0, at: index)
        case 4: bytes = [0xEF, 0xBB, 0xBF] + bytes
        case 5: bytes += bytes
        default: bytes.remove(at: index)
        }
        return bytes
    }

    // MARK: Values

    private static func count(_ value: JSONValue) -> Int {
        switch value {
        case .array(let elements): elements.reduce(1) { $0 + count($1) }
        case .object(let object): object.members.reduce(1) { $0 + count($1.value) }
        default: 1
        }
    }

    /// Changes the value that stands at a place, counted from the outside.
    private static func change(
        _ value: JSONValue, at place: inout Int, using random: inout SeededGenerator
    ) -> JSONValue {
        guard place > 0 else {
            place = -1
            return another(value, using: &random)
        }
        place -= 1
        switch value {
        case .array(let elements):
            return .array(
                elements.map { element in place < 0 ? element : change(element, at: &place, using: &random) })
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map {
                        ($0.name, place < 0 ? $0.value : change($0.value, at: &place, using: &random))
                    }))
        default: return value
        }
    }

    /// The text that the writer replaces with a value that `JSONValue` cannot hold.
    private static let placeholder = "@raw@"
    /// Before the name of a member that comes twice, and not written: our own values have no such member.
    private static let repeated = "@again@"

    private static let names = [
        "name", "type", "audience", "scope", "contentState", "content_state", "alert", "priority", "staleDate",
        "dismissal_date",
        "dismissalDate", "stale_date", "asOf", "timestamp", "target", "tag", "and", "or", "not", "AND", "$and", "$not",
        "external_user_ids", "segment_id", "custom_audience", "event", "groupId", "liveActEndDate", "ends_at", "endsAt",
        "target_devices", "attributes", "aps", "", "a.b", "\u{0}", "definition", "parameters", "members", "channel",
        "plan",
    ]

    private static func another(_ value: JSONValue, using random: inout SeededGenerator) -> JSONValue {
        let isWhole = Int.random(in: 0..<3, using: &random) == 0
        switch value {
        case .object(let object) where !isWhole:
            var members = object.members.map { ($0.name, $0.value) }
            let name = names.pick(using: &random)
            guard !members.isEmpty else { return .object(JSONObject([(name, .string(placeholder))])) }
            let index = members.indices.pick(using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: members.remove(at: index)
            case 1: members[index].0 = name
            case 2: members.insert((repeated + members[index].0, members[index].1), at: index + 1)
            default: members.append((name, members[index].1))
            }
            return .object(JSONObject(members))
        case .array(let elements) where !isWhole && !elements.isEmpty:
            switch Int.random(in: 0..<3, using: &random) {
            case 0: return .array([])
            case 1: return .array(Array(repeating: elements[0], count: 1_100))
            default: return .array(elements + [.string(placeholder)])
            }
        default: return .string(placeholder)
        }
    }

    private static let raws = [
        "null", "true", "0", "-0", "-1", "1.5", "1e5", "1e400", "-1e400", "9223372036854775807", "-9223372036854775809",
        "123456789012345678901234567890", "01", "NaN", "\"\"", "\" \"", "\"\\u0000\"", "\"\\ud800\"", "\"a\\nb\"",
        "\"10\"",
        "[]", "{}", "[[]]", "[null]", "{\"\":{}}", "{\"and\":[]}", "{\"or\":[{\"not\":\"all\"}]}", "\"all\"", "\"*\"",
        "\"0000-00-00T00:00:00Z\"", "\"9999-12-31T23:59:59Z\"", "\"2022-12-18T18:00:00+99:99\"",
        "\"2022-12-18T16:00:00Z\"", "\"2022-12-18T16:00:00+0000\"", "\"-1\"", "1671379200", "1671379200000",
        "2147483648",
        "\"${x}\"", "\"@{x}\"", "{\"$not\":{\"$not\":[\"a\"]}}", "'x'", "", ",", "\u{FEFF}1",
    ]

    private static func raw(using random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return "\"" + String(repeating: "x", count: [257, 1_025, 5_000, 70_000].pick(using: &random)) + "\""
        case 1: return nested([20, 200, 20_000].pick(using: &random), "[", "1", "]")
        case 2: return nested([20, 200, 20_000].pick(using: &random), "{\"not\":", "\"all\"", "}")
        case 3: return nested([8, 60, 400].pick(using: &random), "{\"and\":[", "\"all\"", "]}")
        case 4: return "[" + (0..<1_100).map { "\"u\($0)\"" }.joined(separator: ",") + "]"
        case 5: return "{" + (0..<300).map { "\"m\($0)\":\($0)" }.joined(separator: ",") + "}"
        default: return raws.pick(using: &random)
        }
    }

    private static func nested(_ depth: Int, _ open: String, _ inner: String, _ close: String) -> String {
        String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }

    private static func written(_ value: JSONValue, using random: inout SeededGenerator) -> [UInt8] {
        var parts = value.text.replacing(repeated, with: "").split(
            separator: "\"\(placeholder)\"", omittingEmptySubsequences: false)[...]
        var bytes = Array((parts.popFirst() ?? "").utf8)
        for part in parts { bytes += Array(raw(using: &random).utf8) + Array(part.utf8) }
        return bytes
    }
}
