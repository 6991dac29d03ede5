import EyotContract

/// Of whom, or by whom, a tag or an attribute is said.
package enum TraitOwner: String, Sendable, Hashable, CaseIterable {
    /// Of the user. Only a backend says anything of users.
    case user
    /// Of the device, by its app or by the backend.
    case device
    /// By the backend, of the user or of the device.
    case backend
}

/// What a phone may say of itself: a tag without a group, or an attribute.
package enum TraitName: Sendable, Hashable {
    case tag(String)
    case attribute(String)
}

/// A name that the backend has set on some user or device. It is the backend's own from then on: what phones say of
/// themselves under it chooses no device, unless the app declares it open.
package struct BackendName: Sendable, Hashable {
    package var name: TraitName
    /// Whether phones said it of themselves before.
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

    /// Reads what ``json`` says. What has another form is left out.
    package init(names json: JSONValue) {
        func texts(_ member: String) -> [String] { json.object?[member]?.array?.compactMap(\.string) ?? [] }
        self = Set(texts("tags").map(TraitName.tag)).union(texts("attributes").map(TraitName.attribute))
    }
}
