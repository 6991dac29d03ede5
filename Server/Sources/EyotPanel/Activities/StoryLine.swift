import EyotContract
import EyotDomain

/// A declaration as the story of an activity tells it: what changed, when, and who asked for it.
struct StoryLine {
    /// A member of the state that a declaration changed.
    struct Change: Equatable {
        var name: String
        /// Nil if the member is new.
        var from: String?
        var to: String
    }

    /// The most changes of one line, and the most characters of a value.
    private static let (changeLimit, valueLimit) = (8, 60)

    var at: Moment?
    var version: String
    /// The page of the version; nil on that page itself.
    var link: String?
    var title: String
    var tone: String
    var changes: [Change]
    var more: String?
    var alert: String?
    var by: String?
    var scope: String?

    /// - Parameters:
    ///   - declarations: newest first.
    ///   - link: The page of a version.
    static func all(_ declarations: [JSONValue], link: (String) -> String) -> [StoryLine] {
        declarations.enumerated().map { index, json in
            let before = declarations[(index + 1)...].first {
                $0.at("contentState") != nil && $0.at("members") == nil
            }
            var line = StoryLine(json, before: before?.at("contentState"))
            line.link = link(line.version)
            return line
        }
    }

    init(_ json: JSONValue, before: JSONValue?) {
        at = Moment(json.at("acceptedAt"))
        version = "\(json.count("version"))"
        let isEnd = json.at("kind")?.string == "end"
        let verb = json.at("verb")?.string
        title = isEnd ? "Ended" : ["start": "Started", "put": "Put"][verb ?? ""] ?? "Updated"
        tone = isEnd ? "bad" : verb == "start" ? "good" : ""
        let all = Self.changes(from: before, to: json.at("contentState"))
        changes = Array(all.prefix(Self.changeLimit))
        more = all.count > Self.changeLimit ? "and \(all.count - Self.changeLimit) more" : nil
        alert = json.at("alert", "title").map { Self.text($0) }
        by = json.at("keyName")?.string.map { Shown.line($0, limit: 60) }
        scope = json.at("members")?.integer.map { "for \(Figures.count($0)) \($0 == 1 ? "card" : "cards")" }
    }

    /// The members that differ, those of objects in objects by their paths.
    static func changes(from old: JSONValue?, to new: JSONValue?) -> [Change] {
        guard let new else { return [] }
        let (before, after) = (leaves(of: old), leaves(of: new))
        let former = Dictionary(before.map { ($0.name, $0.value) }) { first, _ in first }
        let known = Set(after.map(\.name))
        return after.compactMap { leaf in
            guard former[leaf.name] != leaf.value else { return nil }
            return Change(name: leaf.name, from: former[leaf.name].map { text($0) }, to: text(leaf.value))
        }
            + before.filter { old != nil && !known.contains($0.name) }.map {
                Change(name: $0.name, from: text($0.value), to: "–")
            }
    }

    private static func leaves(of value: JSONValue?, at path: String = "", depth: Int = 4) -> [(
        name: String, value: JSONValue
    )] {
        guard let object = value?.object, depth > 0 else { return [] }
        return object.members.flatMap { member -> [(name: String, value: JSONValue)] in
            let name = Shown.line(path.isEmpty ? member.name : "\(path).\(member.name)", limit: valueLimit)
            let below = leaves(of: member.value, at: name, depth: depth - 1)
            return below.isEmpty ? [(name, member.value)] : below
        }
    }

    private static func text(_ value: JSONValue) -> String {
        Shown.line(value.string ?? value.text, limit: valueLimit)
    }
}
