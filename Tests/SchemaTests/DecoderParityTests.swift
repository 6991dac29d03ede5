import EyotContract
import EyotKit
import EyotKitTesting
import Testing

/// What a schema says of a document is what `JSONDecoder` does with it.
@Suite struct `A schema and JSONDecoder` {
    /// Of each type; there are sixty and more.
    static let documents = 1_600

    @Test(arguments: Specimen.all) func `agree on random documents`(_ specimen: Specimen) throws {
        let (shape, types) = try specimen.shape
        let parity = DecoderParity(types: types, seed: 7, values: Self.documents)
        let fitting = try parity.check(specimen.type, shape)
        #expect(fitting > Self.documents / 20, "too few documents fit")
    }

    @Test func `there are sixty types and a hundred thousand documents`() {
        #expect(Specimen.all.count >= 60)
        #expect(Specimen.all.count * Self.documents >= 100_000)
    }

    @Test func `a type that decodes in a way of its own is found out`() throws {
        struct Lenient: Decodable {
            var number: Int

            enum CodingKeys: CodingKey {
                case number
            }

            init(from decoder: any Decoder) throws {
                number = (try? decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)) ?? 0
            }
        }
        let (shape, types) = try Specimen(Lenient.self).shape
        let error = #expect(throws: SchemaFileError.self) {
            try DecoderParity(types: types).check(Lenient.self, shape)
        }
        #expect(error?.description.contains("JSONShapeDescribing") == true)
    }
}
