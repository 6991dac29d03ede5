import EyotContract
import Foundation

/// The cases of enums with raw values.
enum EnumCases {
    /// Returns the shape of such an enum. Nil if the type is something else, or also decodes from other values.
    static func shape<Value: Decodable>(of type: Value.Type) throws -> JSONShape? {
        guard let listed = type as? any (CaseIterable & RawRepresentable & Decodable).Type,
            let shape = cases(of: listed)
        else { return nil }
        // An enum with a case for all other values has a decoding of its own.
        return isStrict(listed, shape) ? shape : nil
    }

    /// Returns the shape of an enum that cannot be listed, from its examples; nil if the type is something else.
    static func shape<Value: Decodable>(
        of type: Value.Type, from examples: [JSONValue], by probe: ShapeProbe
    ) throws -> JSONShape? {
        guard let raw = (type as? any RawRepresentable.Type)?.rawType, let first = examples.first,
            Mirror(reflecting: try probe.decode(type, from: first)).displayStyle == .enum
        else { return nil }
        switch Leaf.shapes[ObjectIdentifier(raw)] {
        case .text(.string): return .cases(examples, of: nil)
        case .number(let number): return .cases(examples, of: number)
        default: return nil
        }
    }

    private static func cases<Listed: CaseIterable & RawRepresentable>(of type: Listed.Type) -> JSONShape? {
        let values = type.allCases.map(\.rawValue)
        if let texts = values as? [String] { return .cases(texts.map(JSONValue.string), of: nil) }
        guard case .number(let number) = Leaf.shapes[ObjectIdentifier(Listed.RawValue.self)] else { return nil }
        let literals = values.compactMap { ($0 as? any BinaryInteger).map { JSONValue.number("\($0)") } }
        return literals.count == values.count ? .cases(literals, of: number) : nil
    }

    private static func isStrict<Listed: Decodable>(_ type: Listed.Type, _ shape: JSONShape) -> Bool {
        guard case .cases(let cases, let number) = shape else { return true }
        let others: [JSONValue] =
            number == nil
            ? [.string("no such case"), ""] : (0..<100).map { JSONValue.integer($0) }
        let stranger = others.first { !cases.contains($0) } ?? .null
        return (try? JSONDecoder().decode([Listed].self, from: Data(JSONValue.array([stranger]).utf8))) == nil
    }
}

extension RawRepresentable {
    fileprivate static var rawType: Any.Type { RawValue.self }
}
