import EyotContract

/// What a backend says of a user or of a device, for audiences.
package struct Traits: Sendable, Hashable {
    /// Those that stand in no group.
    package var tags: Set<String>
    /// By their groups, none of which is empty.
    package var tagGroups: [String: Set<String>]
    package var attributes: [String: AttributeValue]

    package init(
        tags: Set<String> = [], tagGroups: [String: Set<String>] = [:], attributes: [String: AttributeValue] = [:]
    ) {
        self.tags = tags
        self.tagGroups = tagGroups
        self.attributes = attributes
    }

    /// Tags of one user, or of one device, with those in groups.
    package static let tagLimit = 200
    /// Attributes of one user, or of one device.
    package static let attributeLimit = 100

    /// Every tag.
    package var allTags: Set<Tag> {
        Set(tags.map { Tag($0) } + tagGroups.flatMap { group, tags in tags.map { Tag($0, group: group) } })
    }

    package init(_ tags: some Sequence<Tag>, attributes: [String: AttributeValue]) {
        self.init(attributes: attributes)
        for tag in tags {
            if let group = tag.group {
                tagGroups[group, default: []].insert(tag.name)
            } else {
                self.tags.insert(tag.name)
            }
        }
    }

    /// What is said, without what nobody says any more.
    package var isEmpty: Bool { tags.isEmpty && tagGroups.isEmpty && attributes.isEmpty }
}

/// A person, by the customer's id, and what the customer says of them.
package struct User: Sendable, Hashable {
    package var app: AppID
    package var externalID: String
    package var traits: Traits
    /// Names of the person by their labels.
    package var aliases: [String: String]

    package init(
        app: AppID, externalID: String, tags: Set<String> = [], tagGroups: [String: Set<String>] = [:],
        attributes: [String: AttributeValue] = [:], aliases: [String: String] = [:]
    ) {
        self.init(
            app: app, externalID: externalID,
            traits: Traits(tags: tags, tagGroups: tagGroups, attributes: attributes), aliases: aliases)
    }

    package init(app: AppID, externalID: String, traits: Traits, aliases: [String: String] = [:]) {
        self.app = app
        self.externalID = externalID
        self.traits = traits
        self.aliases = aliases
    }

    /// Aliases of one user.
    package static let aliasLimit = 20

    /// Tags that stand in no group.
    package var tags: Set<String> { traits.tags }
}
