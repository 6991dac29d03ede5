import EyotContract
import Foundation

/// A probe that finds the shape of a type. The type decodes itself from a decoder that records its requests.
///
/// The requests depend on the values only for enums and for types with a decoding of their own. For those there are
/// examples: they are encoded, and the type is also decoded from each of them.
package final class ShapeProbe {
    /// The named shapes that were found so far.
    package private(set) var types: [String: JSONShape] = [:]
    /// The names of types that were found or are being probed.
    private var names: [ObjectIdentifier: String] = [:]
    /// The shapes of types that need no name.
    private var inline: [ObjectIdentifier: JSONShape] = [:]
    /// JSON values of types, from the examples.
    private var pool: [ObjectIdentifier: [JSONValue]] = [:]
    private var hasGrown = false
    /// The present depth of nested types.
    private var depth = 0

    private static let depthLimit = 64
    /// The most examples of one type. Further ones are ignored.
    private static let poolLimit = 200
    /// The most rounds. Examples may contain examples of further types, and so on.
    private static let roundLimit = 8

    /// Makes a probe.
    ///
    /// - Parameter examples: values of any types.
    package init(examples: [any Codable]) throws {
        for example in examples { try add(example) }
    }

    private func add<Example: Codable>(_ example: Example) throws {
        // Older systems cannot encode a fragment by itself.
        let array = try JSONValue(parsing: JSONEncoder().encode([example]), depthLimit: Self.depthLimit)
        for value in array.array ?? [] { keep(value, of: Example.self) }
    }

    /// Returns the shapes of types. The named shapes that they refer to are in ``types``.
    package func shapes(of roots: [any Decodable.Type]) throws -> [JSONShape] {
        for _ in 0..<Self.roundLimit {
            (types, names, inline, hasGrown) = ([:], [:], [:], false)
            let shapes = try roots.map { root in try shape(ofRoot: root) }
            if !hasGrown { return shapes }
        }
        throw ShapeProblem(type: "\(roots)", reason: "its examples hold more and more types")
    }

    private func shape(ofRoot root: any Decodable.Type) throws -> JSONShape {
        let shape = try shape(of: root)
        guard case .reference(let name) = shape, let found = types[name], !found.refers(to: name, in: types) else {
            return shape
        }
        types[name] = nil
        return found
    }

    // MARK: One type

    /// Returns the shape of a type. Makes no value of it.
    func shape(of type: any Decodable.Type) throws -> JSONShape {
        if let leaf = Leaf.shapes[ObjectIdentifier(type)] { return leaf }
        if let described = type as? any JSONShapeDescribing.Type { return described.jsonShape }
        if let container = type as? any ProbedContainer.Type { return try container.shape(by: self) }
        if let shape = inline[ObjectIdentifier(type)] { return shape }
        if let name = names[ObjectIdentifier(type)] { return .reference(name) }
        let name = name(for: type)
        let shape = try probe(type, name)
        if shape.needsName || shape.refers(to: name, in: types) {
            types[name] = shape
            return .reference(name)
        }
        inline[ObjectIdentifier(type)] = shape
        return shape
    }

    /// Returns the shape that a reference names, or the shape itself.
    func resolved(_ shape: JSONShape) -> JSONShape {
        if case .reference(let name) = shape { types[name] ?? shape } else { shape }
    }

    /// Returns a value of a type for code that decodes it.
    func sample<Value: Decodable>(of type: Value.Type) throws -> Value {
        if let leaf = Leaf.samples[ObjectIdentifier(type)] as? Value { return leaf }
        if let container = type as? any ProbedContainer.Type, let empty = container.empty as? Value { return empty }
        if let example = pool[ObjectIdentifier(type)]?.first { return try decode(type, from: example) }
        if let cases = type as? any CaseIterable.Type, let first = cases.firstCase as? Value { return first }
        guard depth < Self.depthLimit else { throw ShapeProblem(type: "\(type)", reason: "it has no end") }
        depth += 1
        defer { depth -= 1 }
        return try Value(from: ProbingDecoder(probe: self, node: ProbedNode(), source: nil))
    }

    /// Decodes a value as a phone does.
    func decode<Value: Decodable>(_ type: Value.Type, from json: JSONValue) throws -> Value {
        guard let value = try JSONDecoder().decode([Value].self, from: Data(JSONValue.array([json]).utf8)).first else {
            throw ShapeProblem(type: "\(type)", reason: "nothing was decoded")
        }
        return value
    }

    /// Keeps an example's value of a type.
    func keep(_ value: JSONValue, of type: any Decodable.Type) {
        let known = pool[ObjectIdentifier(type), default: []]
        guard known.count < Self.poolLimit, !known.contains(value) else { return }
        pool[ObjectIdentifier(type), default: []].append(value)
        hasGrown = true
    }

    private func probe<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> JSONShape {
        if let cases = try EnumCases.shape(of: type) { return cases }
        let node = ProbedNode()
        let examples = pool[ObjectIdentifier(type)] ?? []
        do {
            guard depth < Self.depthLimit else { throw ShapeProblem(type: name, reason: "it has no end") }
            depth += 1
            defer { depth -= 1 }
            for example in examples {
                _ = try Value(from: ProbingDecoder(probe: self, node: node, source: example))
            }
            if examples.isEmpty { _ = try Value(from: ProbingDecoder(probe: self, node: node, source: nil)) }
            return try EnumCases.shape(of: type, from: examples, by: self) ?? node.shape(of: name)
        } catch let problem as ShapeProblem {
            throw problem
        } catch {
            throw ShapeProblem(type: name, reason: node.advice ?? "it does not decode from a sample: \(error)")
        }
    }

    /// Returns the name without its module. A second type with the same name gets a number.
    private func name(for type: any Decodable.Type) -> String {
        let base = String(describing: type)
        var name = base
        var number = 2
        while names.values.contains(name) {
            name = "\(base)\(number)"
            number += 1
        }
        names[ObjectIdentifier(type)] = name
        return name
    }
}

/// The reason why the shape of a type cannot be found, and the remedy.
public struct ShapeProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The type.
    public var type: String
    /// The reason and the remedy.
    public var reason: String

    /// Type and reason.
    public var description: String { "\(type): \(reason)" }
}

extension CaseIterable {
    fileprivate static var firstCase: Self? { allCases.first }
}

extension JSONShape {
    /// Whether the shape is large enough for a name of its own.
    fileprivate var needsName: Bool {
        switch self {
        case .object, .choice, .cases: true
        default: false
        }
    }

    /// Whether the shape refers to a name, directly or through other shapes.
    fileprivate func refers(to name: String, in types: [String: JSONShape]) -> Bool {
        var seen: Set<String> = []
        var open = [self]
        while let shape = open.popLast() {
            if case .reference(let other) = shape {
                if other == name { return true }
                if seen.insert(other).inserted, let found = types[other] { open.append(found) }
            }
            open += shape.parts
        }
        return false
    }
}
