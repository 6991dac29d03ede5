import EyotContract

/// What is said of a person or a device: tags, attributes and names elsewhere.
struct TraitsView {
    struct Fact {
        var name: String
        var value: String
    }

    let tags: [String]
    let facts: [Fact]
    let isEmpty: Bool

    init(_ reply: Reply) {
        let plain = reply["tags"].all.compactMap(\.text)
        let grouped = reply["tagGroups"].members.flatMap { group, tags in
            tags.all.compactMap(\.text).map { "\(Shown.text(group)): \($0)" }
        }
        tags = plain + grouped
        let attributes = reply["attributes"].members.map { name, value in
            Fact(name: Shown.text(name), value: Self.text(of: value))
        }
        let aliases = reply["aliases"].members.map { label, value in
            Fact(name: "\(Shown.text(label)) (alias)", value: value.text ?? "")
        }
        facts = attributes + aliases
        isEmpty = tags.isEmpty && facts.isEmpty
    }

    private static func text(of value: Reply) -> String {
        value.text ?? value.json.map { Shown.json($0) } ?? ""
    }
}
