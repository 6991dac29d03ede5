import EyotContract

/// A name that a schema gives to a shape, with its identifier in a backend's language.
struct TypeClaim {
    /// The name in the schema, which may be any text.
    var name: String
    var identifier: String
    var shape: JSONShape
    /// The purpose of the type, if it is known.
    var note: String?
    /// The file that contains it.
    var file: String

    /// Returns the names of all schemas, each once.
    ///
    /// - Throws: ``TypeNameConflict`` if one name would stand for two types.
    static func all(in sources: [SchemaSource], reserved: Set<String>) throws(TypeNameConflict) -> [TypeClaim] {
        var claims: [TypeClaim] = []
        var places: [String: Int] = [:]
        for source in sources {
            for claim in names(of: source, reserved) where !claim.isItself(reserved) {
                guard let place = places[claim.identifier] else {
                    places[claim.identifier] = claims.count
                    claims.append(claim)
                    continue
                }
                let known = claims[place]
                guard known.name == claim.name, known.shape == claim.shape else { throw TypeNameConflict(known, claim) }
            }
        }
        return claims
    }

    private static func names(of source: SchemaSource, _ reserved: Set<String>) -> [TypeClaim] {
        func claim(_ name: String, _ shape: JSONShape, _ note: String? = nil) -> TypeClaim {
            TypeClaim(
                name: name, identifier: Identifier.ofType(name, reserved), shape: shape, note: note, file: source.file)
        }
        let schema = source.schema
        return [
            claim(schema.type, schema.attributes, "The attributes of a start."),
            claim(schema.type + "ContentState", schema.contentState, "What the cards show: contentState."),
        ] + schema.types.sorted { $0.key < $1.key }.map { claim($0.key, $0.value) }
    }

    /// Whether the shape only refers to a type with the same identifier. That type has a claim of its own.
    private func isItself(_ reserved: Set<String>) -> Bool {
        if case .reference(let name) = shape { Identifier.ofType(name, reserved) == identifier } else { false }
    }
}

/// The error that one name would stand for two types.
struct TypeNameConflict: Error, CustomStringConvertible {
    let description: String

    init(_ first: TypeClaim, _ second: TypeClaim) {
        let names =
            first.name == second.name
            ? "\(first.name.quoted()) is one type in \(first.file) and another in \(second.file)"
            : "\(first.name.quoted()) in \(first.file) and \(second.name.quoted()) in \(second.file) would both be "
                + first.identifier
        description = "\(names): rename one of them, or write their types to two files"
    }
}
