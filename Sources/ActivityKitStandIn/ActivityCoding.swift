#if !os(iOS) || targetEnvironment(macCatalyst)
    import EyotContract
    import Foundation
    import PhoneSimulator

    /// ActivityKit's encoding and decoding of an app's types: JSON with Foundation's default strategies. A `Date` is
    /// therefore a number of seconds since 2001.
    enum ActivityCoding {
        static func encode(_ value: some Encodable) throws -> JSONValue {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try JSONValue(parsing: encoder.encode(value))
        }

        static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
            try JSONDecoder().decode(type, from: Data(value.utf8))
        }

        /// The reason why a value does not decode; nil if it does.
        static func problem<Value: Decodable>(decoding type: Value.Type, from value: JSONValue) -> String? {
            do {
                _ = try decode(type, from: value)
                return nil
            } catch {
                return SchemaMismatch.words(for: error, decoding: type, from: value)
            }
        }
    }

    extension PayloadCheck {
        /// The check that iOS makes: a push must decode into the app's own types. Give it to the phone with
        /// ``PhoneSimulator/PhoneConfiguration/types``, as an installed app brings its types.
        ///
        /// The types must be plain and decodable on any thread, because ActivityKit decodes them so.
        public static func decoding<Attributes: ActivityAttributes & SendableMetatype>(
            _ attributes: Attributes.Type
        ) -> PayloadCheck where Attributes.ContentState: SendableMetatype {
            PayloadCheck(
                type: Activity<Attributes>.typeName,
                attributes: { ActivityCoding.problem(decoding: Attributes.self, from: $0) },
                contentState: { ActivityCoding.problem(decoding: Attributes.ContentState.self, from: $0) })
        }
    }
#endif
