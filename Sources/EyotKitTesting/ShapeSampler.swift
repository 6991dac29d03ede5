import EyotContract

/// Makes JSON values near a shape: most of them fit, and the others are wrong in one place or another.
public struct ShapeSampler<Generator: RandomNumberGenerator> {
    private let types: [String: JSONShape]
    private var generator: Generator
    /// How likely it is for each value to be any other than it should be.
    private let wildness: Double

    /// - Parameters:
    ///   - types: the shapes that have names.
    ///   - wildness: from 0 (everything fits) to 1.
    public init(types: [String: JSONShape], wildness: Double = 0.06, using generator: Generator) {
        self.types = types
        self.wildness = wildness
        self.generator = generator
    }

    /// A value near this shape.
    public mutating func value(near shape: JSONShape) -> JSONValue { value(near: shape, depth: 0) }

    private mutating func value(near shape: JSONShape, depth: Int) -> JSONValue {
        if chance(wildness) { return oddity() }
        return switch shape {
        case .any: oddity()
        case .null: nil
        case .bool: .bool(chance(0.5))
        case .number(let type): number(type)
        case .text(let type): text(type)
        case .cases(let cases, _):
            chance(wildness) ? .string("no such case") : cases.randomElement(using: &generator) ?? nil
        case .array(let element): array(of: element, depth)
        case .tuple(let elements): tuple(of: elements, depth)
        case .map(let values, let keys): map(of: values, keys, depth)
        case .object(let object): self.object(object, depth)
        case .choice(let choices): choice(of: choices, depth)
        case .union(let shapes): union(of: shapes, depth)
        case .reference(let name): types[name].map { value(near: $0, depth: depth + 1) } ?? nil
        }
    }

    // MARK: Leaves

    private mutating func number(_ type: JSONShape.NumberType) -> JSONValue {
        let whole = ["0", "1", "7", "-1", "42", "127", "128", "-128", "-129", "255", "256", "65535", "65536", "-32769"]
        let large = [
            "2147483647", "2147483648", "-2147483649", "4294967296", "9007199254740993", "9223372036854775807",
            "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        ]
        let forms = [
            "2.0", "2.5", "1e2", "1E+2", "1e-2", "-0", "-0.0", "0.1", "1e18", "1e19", "3.5e38", "1e39", "1e308",
            "1e309",
            "9223372036854775807.0", "9007199254740993.0", "100e-2", "1.0e1", "1e-400", "0e999",
        ]
        let choices: [String]
        switch type {
        case .float, .double, .decimal, .date: choices = chance(0.5) ? forms : whole
        default: choices = chance(0.7) ? Array(whole.prefix(5)) : whole + large + forms
        }
        return .number(choices.randomElement(using: &generator) ?? "0")
    }

    private mutating func text(_ type: JSONShape.TextType) -> JSONValue {
        let texts: [String] =
            switch type {
            case .string: ["", "a", "é", "🏝️", "null", "1"]
            case .url: ["https://example.org/a?b=c#d", "example", "", "a b", "http://[::1", "%zz", "é"]
            case .uuid:
                [
                    "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "",
                    "E621E1F8C36C495A93FC0C247A3E6E5F", "E621E1F8-C36C-495A-93FC-0C247A3E6E5",
                ]
            case .data: ["", "AA==", "AA", "AAAA", "A", "A A=", "_-_-", "AA==\n"]
            }
        return .string(texts.randomElement(using: &generator) ?? "")
    }

    /// A value unrelated to the expected one.
    private mutating func oddity() -> JSONValue {
        let oddities: [JSONValue] = [
            nil, true, false, 0, 1, -1, 2.5, .number("2.0"), .number("1e400"), .number("300"), "", "1", "true", "text",
            [],
            [1], ["a"], [nil], [:], ["a": 1], ["_0": 1], ["a": [:]],
        ]
        return oddities.randomElement(using: &generator) ?? nil
    }

    // MARK: Containers

    private mutating func count(_ depth: Int) -> Int { depth > 6 ? 0 : Int.random(in: 0...3, using: &generator) }

    private mutating func array(of shape: JSONShape, _ depth: Int) -> JSONValue {
        .array((0..<count(depth)).map { _ in value(near: shape, depth: depth + 1) })
    }

    private mutating func tuple(of shapes: [JSONShape], _ depth: Int) -> JSONValue {
        var elements = shapes.map { value(near: $0, depth: depth + 1) }
        if chance(wildness) { elements = elements.dropLast() }
        if chance(wildness) { elements.append(oddity()) }
        return .array(elements)
    }

    private mutating func map(of shape: JSONShape, _ keys: JSONShape.KeyType, _ depth: Int) -> JSONValue {
        let names: [String] =
            switch keys {
            case .string: ["a", "b", ""]
            case .integer: ["1", "-2", "+3", "007", " 4", "5.0", "9223372036854775808"]
            case .cases(let cases): cases + (chance(wildness) ? ["no such case"] : [])
            }
        var object = JSONObject()
        for _ in 0..<count(depth) {
            object[names.randomElement(using: &generator) ?? ""] = value(near: shape, depth: depth + 1)
        }
        return .object(object)
    }

    private mutating func object(_ shape: ObjectShape, _ depth: Int) -> JSONValue {
        var object = JSONObject()
        for member in shape.members.shuffled(using: &generator) {
            let isLeftOut = member.isRequired ? chance(wildness) : chance(0.4) || depth > 6
            if !isLeftOut { object[member.name] = value(near: member.shape, depth: depth + 1) }
        }
        if chance(wildness) { object["_another"] = oddity() }
        return .object(object)
    }

    private mutating func choice(of choices: [ObjectShape.Member], _ depth: Int) -> JSONValue {
        var object = JSONObject()
        let count = chance(wildness) ? Int.random(in: 0...2, using: &generator) : 1
        for choice in choices.shuffled(using: &generator).prefix(count) {
            object[choice.name] = value(near: choice.shape, depth: depth + 1)
        }
        if chance(wildness) { object["_another"] = oddity() }
        return .object(object)
    }

    private mutating func union(of shapes: [JSONShape], _ depth: Int) -> JSONValue {
        if depth > 6, shapes.contains(.null) { return nil }
        return value(near: shapes.randomElement(using: &generator) ?? .null, depth: depth + 1)
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < probability
    }
}
