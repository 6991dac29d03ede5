import EyotContract
import Foundation

/// The types that `JSONDecoder` decodes from one string or number, and a sample value of each.
enum Leaf {
    static let shapes: [ObjectIdentifier: JSONShape] = Dictionary(
        all.map { (ObjectIdentifier($0.type), $0.shape) }, uniquingKeysWith: { first, _ in first })

    static let samples: [ObjectIdentifier: any Sendable] = Dictionary(
        all.map { (ObjectIdentifier($0.type), $0.sample) }, uniquingKeysWith: { first, _ in first })

    private static let all: [(type: Any.Type, shape: JSONShape, sample: any Sendable)] = [
        (Bool.self, .bool, false), (String.self, .text(.string), ""),
        (Int.self, .number(.int), 0), (Int8.self, .number(.int8), 0 as Int8),
        (Int16.self, .number(.int16), 0 as Int16), (Int32.self, .number(.int32), 0 as Int32),
        (Int64.self, .number(.int64), 0 as Int64), (UInt.self, .number(.uint), 0 as UInt),
        (UInt8.self, .number(.uint8), 0 as UInt8), (UInt16.self, .number(.uint16), 0 as UInt16),
        (UInt32.self, .number(.uint32), 0 as UInt32), (UInt64.self, .number(.uint64), 0 as UInt64),
        (Float.self, .number(.float), 0 as Float), (Double.self, .number(.double), 0 as Double),
        (Decimal.self, .number(.decimal), Decimal(0)), (Date.self, .number(.date), Date(timeIntervalSince1970: 0)),
        (URL.self, .text(.url), URL(fileURLWithPath: "/")), (UUID.self, .text(.uuid), UUID()),
        (Data.self, .text(.data), Data()),
    ]
}

/// A type that contains others. Its shape is known without decoding it.
protocol ProbedContainer {
    static func shape(by probe: ShapeProbe) throws -> JSONShape
    /// A value that contains nothing.
    static var empty: Self { get }
}

extension Optional: ProbedContainer where Wrapped: Decodable {
    static func shape(by probe: ShapeProbe) throws -> JSONShape { .optional(try probe.shape(of: Wrapped.self)) }
    static var empty: Self { nil }
}

extension Array: ProbedContainer where Element: Decodable {
    static func shape(by probe: ShapeProbe) throws -> JSONShape { .array(try probe.shape(of: Element.self)) }
    static var empty: Self { [] }
}

extension Set: ProbedContainer where Element: Decodable {
    static func shape(by probe: ShapeProbe) throws -> JSONShape { .array(try probe.shape(of: Element.self)) }
    static var empty: Self { [] }
}

extension Dictionary: ProbedContainer where Key: Decodable, Value: Decodable {
    static var empty: Self { [:] }

    static func shape(by probe: ShapeProbe) throws -> JSONShape {
        let values = try probe.shape(of: Value.self)
        if Key.self == String.self { return .map(values, keys: .string) }
        if Key.self == Int.self { return .map(values, keys: .integer) }
        let keys = try probe.shape(of: Key.self)
        if #available(iOS 15.4, macOS 12.3, *), Key.self is any CodingKeyRepresentable.Type {
            guard case .cases(let cases, of: nil) = probe.resolved(keys) else {
                throw ShapeProblem(
                    type: "\(Self.self)", reason: "only strings, integers and enums of strings can be keys")
            }
            return .map(values, keys: .cases(cases.compactMap(\.string)))
        }
        throw ShapeProblem(
            type: "\(Self.self)", reason: "is decoded from an array of keys and values in turns; use strings for keys")
    }
}
