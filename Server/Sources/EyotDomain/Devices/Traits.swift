import EyotContract

/// The tags and attributes of a user or a device, by which audiences select.
package struct Traits: Sendable, Hashable {
    /// Tags without a group.
    package var tags: Set<String>
    /// Tags by group. No group is empty.
    package var tagGroups: [String: Set<String>]
    package var attributes: [String: AttributeValue]

    package init(
        tags: Set<String> = [], tagGroups: [String: Set<String>] = [:], attributes: [String: AttributeValue] = [:]
    ) {
        self.tags = tags
        self.tagGroups = tagGroups
        self.attributes = attributes
    }

    /// The most tags of one user or device, including those in groups.
    package static let tagLimit = 200
    /// The most attributes of one user or device.
    package static let attributeLimit = 100

    /// All tags, with and without a group.
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

    /// Whether there are no tags and no attributes.
    package var isEmpty: Bool { tags.isEmpty && tagGroups.isEmpty && attributes.isEmpty }
}

/// A user, by the customer's id, with the customer's data about the person.
package struct User: Sendable, Hashable {
    package var app: AppID
    package var externalID: String
    package var traits: Traits
    /// Names of the user, by label.
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

    /// The most aliases of one user.
    package static let aliasLimit = 20

    /// The user's tags without a group.
    package var tags: Set<String> { traits.tags }
}
