import EyotDomain

/// Says what is known of a user: replaces the tags. One transaction.
package struct PutUser {
    /// Tags of one user.
    package static let tagLimit = 200

    let ledger: any Ledger

    package init(ledger: any Ledger) { self.ledger = ledger }

    package func callAsFunction(_ externalID: String, tags: [String], of app: AppID) throws -> User {
        try FieldRule.identifier.check(externalID, field: "externalID")
        guard tags.count <= Self.tagLimit else {
            throw EyotError(.fieldInvalid, "tags may have at most \(Self.tagLimit) elements", field: "tags")
        }
        for (index, tag) in tags.enumerated() { try FieldRule.identifier.check(tag, field: "tags[\(index)]") }
        var user = try ledger.user(externalID, in: app) ?? User(app: app, externalID: externalID)
        user.traits.tags = Set(tags)
        try ledger.put(user)
        return user
    }
}
