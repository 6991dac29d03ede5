import EyotContract
import EyotDomain

/// A change of a user in a request.
package struct UserChange: Sendable, Hashable {
    package var externalID: String
    var traits: TraitsChange
    /// Names by their labels. A nil name removes the alias.
    var aliases: [String: String?]?

    /// Reads the members beside the id.
    package init(_ externalID: String, fields: inout JSONFields, _ mode: TraitsChange.Mode) throws(JSONFieldError) {
        self.externalID = externalID
        traits = try TraitsChange(fields: &fields, mode)
        guard let members = try TraitsChange.members(&fields, "aliases", most: User.aliasLimit) else { return }
        var aliases: [String: String?] = [:]
        for (label, value) in members {
            if value == .null {
                aliases[label] = .some(nil)
                continue
            }
            guard let name = value.string, DeviceLimits.isIdentifier(name) else {
                throw fields.invalid(
                    "aliases.\(label)", "must be a text of 1 to \(DeviceLimits.identifierBytes) bytes without NUL")
            }
            aliases[label] = name
        }
        self.aliases = aliases
    }

    /// Whether it changes nothing.
    package var isEmpty: Bool { traits.isEmpty && aliases == nil }
}

/// A change of a user, known or new. One transaction.
package struct ChangeUser {
    let ledger: any Ledger
    let app: AppID

    package init(ledger: any Ledger, app: AppID) {
        self.ledger = ledger
        self.app = app
    }

    /// - Throws: `aliasTaken`, and `fieldInvalid` if a limit would be exceeded. Then nothing has changed.
    package func callAsFunction(_ change: UserChange) throws -> User {
        try FieldRule.identifier.check(change.externalID, field: "externalID")
        var user = try ledger.user(change.externalID, in: app) ?? User(app: app, externalID: change.externalID)
        user.traits = try change.traits.applied(to: user.traits)
        if let aliases = change.aliases {
            if change.traits.mode == .replace { user.aliases = [:] }
            for (label, name) in aliases { user.aliases[label] = name }
            guard user.aliases.count <= User.aliasLimit else {
                throw EyotError(
                    .fieldInvalid, "the user would have more than \(User.aliasLimit) aliases", field: "aliases")
            }
            try checkAliases(of: user)
        }
        try ledger.put(user)
        try QueueLiveCheck(ledger: ledger)(of: user.externalID, in: app)
        return user
    }

    private func checkAliases(of user: User) throws {
        for (label, name) in user.aliases {
            let owner = try ledger.user(of: UserAlias(label: label, name: name), in: app)
            guard owner == nil || owner == user.externalID else {
                throw EyotError(
                    .aliasTaken, "another user has the alias \(name) under \(label)", field: "aliases.\(label)")
            }
        }
    }
}
