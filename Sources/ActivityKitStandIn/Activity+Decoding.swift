#if !os(iOS) || targetEnvironment(macCatalyst)
    import EyotContract
    import PhoneSimulator

    extension Activity {
        static func content(_ content: CardContent, in process: PhoneProcess) -> ActivityContent<ContentState>? {
            decode(ContentState.self, from: content.state, in: process).map {
                ActivityContent(state: $0, staleDate: content.staleDate, relevanceScore: content.relevanceScore)
            }
        }

        /// Decodes, or notes why that failed.
        static func decode<Value: Decodable>(
            _ type: Value.Type, from value: JSONValue, in process: PhoneProcess
        ) -> Value? {
            do {
                return try ActivityCoding.decode(type, from: value)
            } catch {
                let words = SchemaMismatch.words(for: error, decoding: type, from: value)
                process.note(fault: "a card of type \(typeName) does not decode: \(words)")
                return nil
            }
        }
    }

    extension ActivityContent {
        /// - Throws: the error of the state's own encoding.
        func card() throws -> CardContent {
            CardContent(state: try ActivityCoding.encode(state), staleDate: staleDate, relevanceScore: relevanceScore)
        }
    }
#endif
