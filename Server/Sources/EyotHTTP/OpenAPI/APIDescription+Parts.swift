import EyotContract

extension APIDescription {
    /// A part of the API with a document of its own. Its name is a tag of the operations.
    struct Part: Sendable, Equatable {
        let name: String
        /// The tags of the operations in it.
        let tags: Set<String>
        let title: String

        /// Eyot's own parts, and one for each vendor.
        static func all(_ vendors: [Vendor]) -> [Part] {
            [
                Part(name: "control", tags: ["control", "operations"], title: "Eyot"),
                Part(name: "device", tags: ["device"], title: "Eyot for devices"),
            ] + vendors.map { Part(name: $0.name, tags: [$0.name], title: "Eyot for clients of \($0.name)") }
        }
    }

    /// The components of a document that its paths use, directly or through other components.
    static func used(by paths: JSONObject, of components: JSONObject) -> JSONObject {
        var used = Set<String>()
        var open = references(in: .object(paths))
        while let reference = open.popFirst() {
            guard used.insert(reference).inserted, let shape = component(reference, of: components) else { continue }
            open.formUnion(references(in: shape).subtracting(used))
        }
        return JSONObject(
            components.members.map { kind in
                guard kind.name != "securitySchemes" else { return (kind.name, kind.value) }
                let members = kind.value.object?.members ?? []
                let kept = members.filter { used.contains("\(kind.name)/\($0.name)") }.map { ($0.name, $0.value) }
                return (kind.name, .object(JSONObject(kept)))
            })
    }

    private static func component(_ reference: String, of components: JSONObject) -> JSONValue? {
        let parts = reference.split(separator: "/", maxSplits: 1).map(String.init)
        return parts.count == 2 ? components[parts[0]]?.object?[parts[1]] : nil
    }

    /// The components that a value names, as `kind/name`.
    private static func references(in value: JSONValue) -> Set<String> {
        switch value {
        case .object(let object):
            object.members.reduce(into: []) { found, member in
                if member.name == "$ref", let text = member.value.string {
                    found.insert(text.replacing("#/components/", with: ""))
                } else {
                    found.formUnion(references(in: member.value))
                }
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
        default: []
        }
    }
}
