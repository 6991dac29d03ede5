import EyotContract

/// What a plain drawing of a card says: captions with figures, and lines below them.
struct CardFields: Equatable {
    struct Figure: Equatable {
        var caption: String
        var value: String
    }

    /// The most figures and lines of a card.
    private static let (figureLimit, lineLimit) = (3, 3)
    /// The most members that are looked at.
    private static let memberLimit = 40

    var figures: [Figure] = []
    var lines: [String] = []

    /// - Parameters:
    ///   - attributes: what never changes on the card.
    ///   - state: what it shows now.
    init(attributes: JSONValue?, state: JSONValue?) {
        var facts = Self.leaves(of: attributes)
        var values = Self.leaves(of: state)
        // A text such as `home` belongs to a value such as `homeScore`.
        for (index, fact) in facts.enumerated().reversed() {
            guard let place = values.firstIndex(where: { $0.isNumber && $0.name.isLonger(than: fact.name) }) else {
                continue
            }
            figures.insert(Figure(caption: fact.text, value: values[place].text), at: 0)
            values.remove(at: place)
            facts.remove(at: index)
        }
        for value in values.filter(\.isNumber).prefix(max(0, Self.figureLimit - figures.count)) {
            figures.append(Figure(caption: value.name, value: value.text))
            values.removeAll { $0 == value }
        }
        figures = Array(figures.prefix(Self.figureLimit))
        lines = (values + facts).prefix(Self.lineLimit).map { "\($0.name) \($0.text)" }
    }

    private struct Leaf: Equatable {
        var name: String
        var text: String
        var isNumber: Bool
    }

    /// The texts, numbers and flags of an object, those of objects in it included.
    private static func leaves(of value: JSONValue?, depth: Int = 2) -> [Leaf] {
        guard let object = value?.object else { return [] }
        return object.members.prefix(memberLimit).flatMap { member -> [Leaf] in
            switch member.value {
            case .string(let text): [Leaf(name: member.name, text: text, isNumber: false)]
            case .number(let text): [Leaf(name: member.name, text: text, isNumber: true)]
            case .bool(let flag): [Leaf(name: member.name, text: flag ? "yes" : "no", isNumber: false)]
            case .object: depth > 1 ? leaves(of: member.value, depth: depth - 1) : []
            case .array, .null: []
            }
        }
    }
}

extension String {
    /// Whether it begins with a shorter name, whatever the case of its letters.
    fileprivate func isLonger(than name: String) -> Bool {
        !name.isEmpty && count > name.count && lowercased().hasPrefix(name.lowercased())
    }
}
