import Foundation

extension JSONShape.NumberType {
    /// Whether a number literal decodes as the type.
    func decodes(_ literal: String) -> Bool {
        switch self {
        case .int: Self.decodes(literal, Int64.self)
        case .int8: Self.decodes(literal, Int8.self)
        case .int16: Self.decodes(literal, Int16.self)
        case .int32: Self.decodes(literal, Int32.self)
        case .int64: Self.decodes(literal, Int64.self)
        case .uint, .uint64: Self.decodes(literal, UInt64.self)
        case .uint8: Self.decodes(literal, UInt8.self)
        case .uint16: Self.decodes(literal, UInt16.self)
        case .uint32: Self.decodes(literal, UInt32.self)
        case .float: Self.decodes(literal, Float(literal))
        case .double, .date: Self.decodes(literal, Double(literal))
        case .decimal: Decimal(string: literal) != nil
        }
    }

    /// Refuses a number that is too large, and one that is too small to be distinguished from 0.
    private static func decodes(_ literal: String, _ number: (some BinaryFloatingPoint)?) -> Bool {
        guard let number, number.isFinite else { return false }
        return number != 0 || !literal.prefix { !"eE".contains($0) }.contains { ("1"..."9").contains($0) }
    }

    /// Accepts whole numbers in any form: `2`, `2.0` and `2e0`. Refuses `2.5`.
    private static func decodes<Number: FixedWidthInteger>(_ literal: String, _ type: Number.Type) -> Bool {
        if Number(literal) != nil { return true }
        guard literal.contains(where: { ".eE".contains($0) }), let double = Double(literal) else { return false }
        return Number(exactly: double) != nil
    }
}

extension JSONShape.TextType {
    /// Whether the type can be made from the string.
    func decodes(_ text: String) -> Bool {
        switch self {
        case .string: true
        case .url: URL(string: text) != nil
        case .uuid: UUID(uuidString: text) != nil
        case .data: Data(base64Encoded: text) != nil
        }
    }
}

extension JSONShape.KeyType {
    /// Whether a member's name decodes as a key.
    func decodes(_ name: String) -> Bool {
        switch self {
        case .string: true
        case .integer: Int(name) != nil
        case .cases(let cases): cases.contains(name)
        }
    }
}
