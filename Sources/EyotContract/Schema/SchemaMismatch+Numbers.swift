import Foundation

extension SchemaMismatch {
    /// Numbers that are tried in one value. A state has at most 4,096 bytes, and rarely more than a few of them.
    private static let numberLimit = 500

    /// Why a value does not decode as a type, in words.
    ///
    /// Foundation reports a number that a type cannot hold as invalid JSON, and names no member. The value was parsed
    /// before, so the member can be found here.
    ///
    /// - Parameter root: where the value stands; empty where paths begin with its members.
    public static func words<Value: Decodable>(
        for error: any Error, decoding type: Value.Type, from value: JSONValue, below root: String = ""
    ) -> String {
        guard case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty,
            let mismatch = ofNumber(decoding: type, from: value, below: root)
        else { return words(for: error, below: root) }
        return mismatch.description
    }

    /// The first number that the type cannot hold.
    ///
    /// Each number in its turn gives way to a text. The decoder then names its place and the type that it wanted there.
    private static func ofNumber<Value: Decodable>(
        decoding type: Value.Type, from value: JSONValue, below root: String
    ) -> SchemaMismatch? {
        for number in value.numbers().prefix(numberLimit) {
            guard
                let (place, wanted) = firstMismatch(decoding: type, from: value.replacing(number.place[...], by: "")),
                place == number.place, let kind = JSONShape.NumberType(rawValue: "\(wanted)"),
                !kind.decodes(number.literal)
            else { continue }
            return SchemaMismatch(
                path: path(number.place, below: root),
                reason: "\(number.literal.prefix(40)) does not decode as \(kind.rawValue)")
        }
        return nil
    }

    private static func firstMismatch<Value: Decodable>(
        decoding type: Value.Type, from value: JSONValue
    ) -> (place: [JSONStep], wanted: Any.Type)? {
        do {
            _ = try JSONDecoder().decode(type, from: Data(value.utf8))
        } catch DecodingError.typeMismatch(let wanted, let context) {
            return (context.codingPath.map(JSONStep.init), wanted)
        } catch {
            // Something else is wrong before that number.
        }
        return nil
    }
}

/// One step from a JSON value to one inside it.
private enum JSONStep: Hashable {
    case member(String)
    case element(Int)

    init(_ key: any CodingKey) { self = key.intValue.map(Self.element) ?? .member(key.stringValue) }
}

extension SchemaMismatch {
    private static func path(_ steps: [JSONStep], below root: String) -> String {
        steps.reduce(into: root) { path, step in
            switch step {
            case .element(let index): path += "[\(index)]"
            case .member(let name): path += path.isEmpty ? name : ".\(name)"
            }
        }
    }
}

extension JSONValue {
    /// The numbers in a value, in their order.
    fileprivate func numbers(at place: [JSONStep] = []) -> [(place: [JSONStep], literal: String)] {
        switch self {
        case .number(let literal): [(place, literal)]
        case .array(let elements):
            elements.enumerated().flatMap { $1.numbers(at: place + [.element($0)]) }
        case .object(let object): object.members.flatMap { $0.value.numbers(at: place + [.member($0.name)]) }
        case .null, .bool, .string: []
        }
    }

    /// The value with another one at a place in it.
    fileprivate func replacing(_ place: ArraySlice<JSONStep>, by new: JSONValue) -> JSONValue {
        guard let step = place.first else { return new }
        let rest = place.dropFirst()
        switch (self, step) {
        case (.array(var elements), .element(let index)):
            elements[index] = elements[index].replacing(rest, by: new)
            return .array(elements)
        case (.object(var object), .member(let name)):
            object[name] = object[name]?.replacing(rest, by: new)
            return .object(object)
        default: return self
        }
    }
}
