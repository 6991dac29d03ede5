import EyotContract

/// The subject or the source of a tag or an attribute.
package enum TraitOwner: String, Sendable, Hashable, CaseIterable {
    /// Set on the user, by a backend. Phones set nothing on users.
    case user
    /// Set on the device, by its app or by the backend.
    case device
    /// Set by the backend, on the user or on the device.
    case backend
}

/// The name of a trait that a phone may report of itself: a tag without a group, or an attribute.
package enum TraitName: Sendable, Hashable {
    case tag(String)
    case attribute(String)
}

/// A name that the backend has set on a user or a device. It belongs to the backend from then on. Traits that phones
/// report under it select no device, unless the app declares the name open.
package struct BackendName: Sendable, Hashable {
    package var name: TraitName
    /// Whether phones reported it before.
    package var wasPhones: Bool

    package init(_ name: TraitName, wasPhones: Bool) {
        self.name = name
        self.wasPhones = wasPhones
    }
}

extension Traits {
    /// The names of its tags without a group and of its attributes.
    package var names: Set<TraitName> {
        Set(tags.map(TraitName.tag)).union(attributes.keys.map(TraitName.attribute))
    }
}

extension Set<TraitName> {
    /// `{"tags": […], "attributes": […]}`, sorted.
    package var json: JSONValue {
        var (tags, attributes): ([String], [String]) = ([], [])
        for name in self {
            switch name {
            case .tag(let tag): tags.append(tag)
            case .attribute(let attribute): attributes.append(attribute)
            }
        }
        return [
            "tags": .array(tags.sorted().map(JSONValue.string)),
            "attributes": .array(attributes.sorted().map(JSONValue.string)),
        ]
    }

    /// Reads the form of ``json``. Members of another form are left out.
    package init(names json: JSONValue) {
        func texts(_ member: String) -> [String] { json.object?[member]?.array?.compactMap(\.string) ?? [] }
        self = Set(texts("tags").map(TraitName.tag)).union(texts("attributes").map(TraitName.attribute))
    }
}
