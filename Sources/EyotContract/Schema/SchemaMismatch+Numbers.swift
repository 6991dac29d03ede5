import Foundation

extension SchemaMismatch {
    /// The most numbers that are tried in one value. A state has at most 4,096 bytes and rarely more than a few
    /// numbers.
    private static let numberLimit = 500

    /// Returns why a value does not decode as a type, in words.
    ///
    /// Foundation reports a number that does not fit a type as invalid JSON, and names no member. The value was parsed
    /// before, so the member is found here.
    ///
    /// - Parameter root: the path of the value; empty if paths begin with its members.
    public static func words<Value: Decodable>(
        for error: any Error, decoding type: Value.Type, from value: JSONValue, below root: String = ""
    ) -> String {
        guard case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty,
            let mismatch = ofNumber(decoding: type, from: value, below: root)
        else { return words(for: error, below: root) }
        return mismatch.description
    }

    /// Returns the first number that does not fit its type.
    ///
    /// Each number in turn is replaced by a text. The decoder then reports the place and the type that it expected
    /// there.
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
            // Another error comes before that number.
        }
        return nil
    }
}

/// A step from a JSON value to a value inside it.
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
    /// Returns the numbers in a value, in their order.
    fileprivate func numbers(at place: [JSONStep] = []) -> [(place: [JSONStep], literal: String)] {
        switch self {
        case .number(let literal): [(place, literal)]
        case .array(let elements):
            elements.enumerated().flatMap { $1.numbers(at: place + [.element($0)]) }
        case .object(let object): object.members.flatMap { $0.value.numbers(at: place + [.member($0.name)]) }
        case .null, .bool, .string: []
        }
    }

    /// Returns the value with another value at a place inside it.
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
