import EyotContract
import Foundation

/// A decoder that records the requests of a type that decodes itself.
///
/// It answers with the example if there is one. Otherwise it answers with a sample of each type, and with nil for
/// optional members.
struct ProbingDecoder: Decoder {
    let probe: ShapeProbe
    let node: ProbedNode
    /// The example; nil for none.
    let source: JSONValue?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        node.begin(.keyed)
        return KeyedDecodingContainer(ProbingKeyedContainer(probe: probe, node: node, source: source?.object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        node.begin(.unkeyed)
        return ProbingUnkeyedContainer(probe: probe, node: node, source: source?.array)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        node.begin(.single)
        return ProbingValueContainer(probe: probe, node: node, source: source)
    }
}

extension ShapeProbe {
    /// Returns the requested value: that of the example, or a sample.
    func value<Value: Decodable>(_ type: Value.Type, from source: JSONValue?) throws -> Value {
        guard let source else { return try sample(of: type) }
        keep(source, of: type)
        return try decode(type, from: source)
    }
}

private struct ProbingValueContainer: SingleValueDecodingContainer {
    let probe: ShapeProbe
    let node: ProbedNode
    let source: JSONValue?
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool {
        node.noteNull()
        return source == .null
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        node.note(single: try probe.shape(of: type))
        return try probe.value(type, from: source)
    }
}

private struct ProbingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: ShapeProbe
    let node: ProbedNode
    let source: JSONObject?
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        node.asksForNames = true
        return source?.members.compactMap { Key(stringValue: $0.name) } ?? []
    }

    func contains(_ key: Key) -> Bool {
        node.noteOmittable(key.stringValue)
        return source.map { $0[key.stringValue] != nil } ?? true
    }

    func decodeNil(forKey key: Key) throws -> Bool { source?[key.stringValue] == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        node.note(member: key.stringValue, try probe.shape(of: type), isRequired: true)
        guard let source else { return try probe.sample(of: type) }
        guard let value = source[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "not in the example"))
        }
        return try probe.value(type, from: value)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try ifPresent(type, key)
    }

    private func ifPresent<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        node.note(member: key.stringValue, .optional(try probe.shape(of: type)), isRequired: false)
        guard let value = source?[key.stringValue], value != .null else { return nil }
        return try probe.value(type, from: value)
    }

    // Their default implementations would be preferred to the generic method and would not record that the member is
    // optional.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try ifPresent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try ifPresent(type, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(for: key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(for: key.stringValue).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder(for: "super") }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(for: key.stringValue) }

    private func decoder(for name: String) -> ProbingDecoder {
        ProbingDecoder(probe: probe, node: node.nested(name), source: source?[name])
    }
}

private struct ProbingUnkeyedContainer: UnkeyedDecodingContainer {
    let probe: ShapeProbe
    let node: ProbedNode
    let source: [JSONValue]?
    var codingPath: [any CodingKey] { [] }
    var currentIndex = 0

    init(probe: ShapeProbe, node: ProbedNode, source: [JSONValue]?) {
        (self.probe, self.node, self.source) = (probe, node, source)
    }

    var count: Int? {
        node.asksForEnd = true
        return source?.count ?? 1
    }

    /// Whether the array is at its end. Without an example it has one element.
    var isAtEnd: Bool {
        node.asksForEnd = true
        return currentIndex >= source?.count ?? 1
    }

    mutating func decodeNil() throws -> Bool {
        guard next(advancing: false) == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        node.note(element: try probe.shape(of: type), at: currentIndex)
        return try probe.value(type, from: next())
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        ProbingDecoder(probe: probe, node: node.nestedElement(currentIndex), source: next())
    }

    private mutating func next(advancing: Bool = true) -> JSONValue? {
        defer { if advancing { currentIndex += 1 } }
        return source.flatMap { $0.indices.contains(currentIndex) ? $0[currentIndex] : nil }
    }
}
