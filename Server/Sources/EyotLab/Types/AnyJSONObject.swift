import EyotContract

/// Any JSON object as a `Codable` value.
///
/// A card keeps the content of a push as it was written. A value that passes through this type, as through an app's own
/// types, changes as Foundation's coders change it. Its members are sorted and its numbers are written anew.
struct AnyJSONObject: Codable, Hashable, Sendable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        value = try Self.object(decoder.container(keyedBy: AnyKey.self))
    }

    func encode(to encoder: any Encoder) throws { try AnyElement(value: value).encode(to: encoder) }

    fileprivate static func object(_ container: KeyedDecodingContainer<AnyKey>) throws -> JSONValue {
        let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
        return .object(
            JSONObject(try keys.map { ($0.stringValue, try container.decode(AnyElement.self, forKey: $0).value) }))
    }
}

/// Any JSON value.
private struct AnyElement: Codable {
    let value: JSONValue

    init(value: JSONValue) { self.value = value }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: AnyKey.self) {
            value = try AnyJSONObject.object(container)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(AnyElement.self).value) }
            value = .array(elements)
        } else {
            value = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        if let integer = try? container.decode(Int64.self) { return .integer(integer) }
        if let integer = try? container.decode(UInt64.self) { return .integer(integer) }
        if let number = try? container.decode(Double.self), let value = JSONValue.finite(number) { return value }
        return .string(try container.decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .object(let object):
            var container = encoder.container(keyedBy: AnyKey.self)
            for member in object.members {
                try container.encode(AnyElement(value: member.value), forKey: AnyKey(stringValue: member.name))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(AnyElement(value: element)) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(into: &container)
        }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        switch value {
        case .bool(let bool): try container.encode(bool)
        case .string(let string): try container.encode(string)
        case .number(let literal):
            if let integer = Int64(literal) {
                try container.encode(integer)
            } else if let integer = UInt64(literal) {
                try container.encode(integer)
            } else {
                try container.encode(Double(literal) ?? 0)
            }
        default: try container.encodeNil()
        }
    }
}

/// The name of any member.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
