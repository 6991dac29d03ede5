import EyotDomain

extension Commands {
    /// The types above a name that an app has used or halted, in the order of the names' bytes.
    package func types(of app: App, after name: String, limit: Int) async throws -> [KnownType] {
        let known = try await store.read { try $0.knownTypes(in: app.id, after: name, limit: limit) }
        let names = Set(known.map(\.name))
        let halted = app.haltedTypes.keys.filter {
            !names.contains($0) && name.utf8.lexicographicallyPrecedes($0.utf8)
        }
        let sorted = (known + halted.map { KnownType($0) }).sorted {
            $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        }
        return Array(sorted.prefix(limit))
    }
}
