import EyotContract
import Foundation

/// What a card shows, drawn plainly from its attributes and its state. It is approximate, because the widget of the
/// app is not known.
struct CardFace: Sendable, Hashable {
    /// One side of a score.
    struct Side: Sendable, Hashable {
        var name: String
        /// At most four letters, for small places.
        var short: String
    }

    /// Two sides and their score; nil for a state that has no score.
    struct Score: Sendable, Hashable {
        var left: Side
        var right: Side
        /// `2–1`.
        var text: String
    }

    /// A member of the state.
    struct Line: Sendable, Hashable {
        /// The member in words; nil for a text, which speaks for itself.
        var label: String?
        var value: String
    }

    var score: Score?
    /// The heading of a card without a score.
    var title: String
    var lines: [Line]
    /// A share from 0 to 1; nil if the state has none.
    var progress: Double?

    /// How many members of a state are drawn.
    static let lineLimit = 5

    /// Draws a card of a type.
    init(type: String, attributes: JSONValue, state: JSONValue) {
        let members = state.object?.members ?? []
        let pair = ScorePair(in: state)
        score = pair.map { Score($0, attributes: attributes) }
        title = Self.title(type: type, attributes: attributes)
        let share = members.first {
            $0.name.lowercased().contains("progress") && $0.value.double.map((0...1).contains) == true
        }
        progress = share?.value.double
        let others = members.filter { member in
            pair?.contains(member.name) != true && member.value != .null && member.value.string != ""
                && member.name != share?.name
        }
        lines = others.prefix(Self.lineLimit).map { member in
            Line(label: member.value.string == nil ? Words.of(member.name) : nil, value: Words.of(member.value))
        }
    }

    /// The heading: the first name among the attributes, otherwise the type in words.
    private static func title(type: String, attributes: JSONValue) -> String {
        let named = attributes.object?.members.first { member in
            member.name.lowercased().hasSuffix("name") && member.name != AttributesMember.activityName
                && member.value.string?.isEmpty == false
        }
        if let name = named?.value.string { return Words.clipped(name) }
        return Words.of(type.replacing("ActivityAttributes", with: "").replacing("Attributes", with: ""))
    }

    /// The card in one line, as for a screen reader.
    var sentence: String {
        let head = score.map { "\($0.left.name) \($0.text) \($0.right.name)" } ?? title
        return ([head] + lines.map { line in line.label.map { "\($0) \(line.value)" } ?? line.value })
            .joined(separator: ", ")
    }
}

extension CardFace.Score {
    /// Names both sides by the attributes that belong to the members of the score.
    fileprivate init(_ pair: ScorePair, attributes: JSONValue) {
        left = CardFace.Side(stem: pair.left.stem, attributes: attributes)
        right = CardFace.Side(stem: pair.right.stem, attributes: attributes)
        text = "\(pair.left.goals)–\(pair.right.goals)"
    }
}

extension CardFace.Side {
    /// - Parameter stem: the member of the score without the word score: `homeTeam` of `homeTeamScore`.
    fileprivate init(stem: String, attributes: JSONValue) {
        let found = attributes.object?.members.first { member in
            let name = member.name.lowercased()
            return name.hasPrefix(stem.lowercased()) && !name.contains("logo") && member.value.string?.isEmpty == false
        }
        let name = found?.value.string.map { Words.clipped($0) } ?? Words.of(stem)
        self.init(name: name, short: name.count <= 4 ? name : String(name.filter { $0 != " " }.prefix(3)).uppercased())
    }
}

extension CardFace {
    /// The face for the page.
    var json: JSONValue {
        var object = JSONObject([("title", .string(title)), ("sentence", .string(sentence))])
        if let score {
            object["score"] = [
                "left": .string(score.left.name), "leftShort": .string(score.left.short),
                "right": .string(score.right.name), "rightShort": .string(score.right.short),
                "text": .string(score.text),
            ]
        }
        object["lines"] = .array(
            lines.map { line in ["label": line.label.map(JSONValue.string) ?? .null, "value": .string(line.value)] })
        object["progress"] = progress.flatMap(JSONValue.finite)
        return .object(object)
    }
}
