import EyotContract
import EyotDomain

/// Keeps a definition under its name. One transaction.
package struct PutDefinition {
    let ledger: any Ledger
    let app: AppID
    let now: Instant

    package init(ledger: any Ledger, app: AppID, now: Instant) {
        (self.ledger, self.app, self.now) = (ledger, app, now)
    }

    /// - Parameter json: what ``DefinitionTemplate`` was read from.
    /// - Throws: ``EyotError``.
    package func callAsFunction(_ name: String, _ json: JSONValue) throws -> Definition {
        try FieldRule.name.check(name, field: "name")
        guard json.utf8.count <= Definition.bytes else {
            throw EyotError(.bodyTooLarge, "a definition has at most \(Definition.bytes) bytes")
        }
        let isNew = try ledger.definition(name, in: app) == nil
        guard try !isNew || ledger.definitionCount(of: app) < Definition.limit else {
            throw EyotError(.tooManyDefinitions, "\(Definition.limit) is the most")
        }
        let definition = Definition(app: app, name: name, json: json, changedAt: now)
        try ledger.put(definition)
        return definition
    }
}
