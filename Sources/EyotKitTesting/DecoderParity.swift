import EyotContract
import Foundation
import PhoneSimulator

/// Holds a shape against the type that it was found from: both have to say the same of values near the shape.
package struct DecoderParity {
    private let types: [String: JSONShape]
    private let seed: UInt64
    private let values: Int

    package init(types: [String: JSONShape], seed: UInt64 = 1, values: Int = 1_000) {
        self.types = types
        self.seed = seed
        self.values = values
    }

    /// - Returns: the number of values that fitted.
    /// - Throws: ``SchemaFileError`` with the first value on which schema and decoder disagree.
    @discardableResult
    package func check<Value: Decodable>(_ type: Value.Type, _ shape: JSONShape) throws -> Int {
        let schema = ActivitySchema(type: "\(type)", attributes: .any, contentState: shape, types: types)
        // In small types much can be wrong before nothing fits any more.
        var samplers = [0.01, 0.1].map {
            ShapeSampler(types: types, wildness: $0, using: SeededGenerator(seed: seed, name: "\(type)"))
        }
        var fitting = 0
        for number in 0..<values {
            let value = samplers[number % samplers.count].value(near: shape)
            let mismatch = schema.mismatch(ofContentState: value)
            let error = Self.error(decoding: type, value)
            if mismatch == nil { fitting += 1 }
            guard (mismatch == nil) != (error == nil) else { continue }
            throw SchemaFileError.disagrees(
                type: "\(type)", json: value.text, schema: mismatch?.description, decoder: error)
        }
        return fitting
    }

    private static func error<Value: Decodable>(decoding type: Value.Type, _ value: JSONValue) -> String? {
        do {
            _ = try JSONDecoder().decode([Value].self, from: Data(JSONValue.array([value]).utf8))
            return nil
        } catch {
            return "\(error)"
        }
    }
}
