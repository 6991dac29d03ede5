import EyotContract
import EyotDomain

/// The storing of a definition under its name. One transaction.
package struct PutDefinition: UseCase {
    package let transaction: Transaction
    let app: AppID

    package init(_ transaction: Transaction, app: AppID) {
        (self.transaction, self.app) = (transaction, app)
    }

    /// - Parameters:
    ///   - json: The JSON that ``DefinitionTemplate`` was read from.
    ///   - makesRoom: Whether it is kept only while there is room. It then replaces the definition of this kind with
    ///     the oldest use.
    ///   - end: When the cards that it starts are to end.
    /// - Throws: ``EyotError``.
    package func callAsFunction(
        _ name: String, _ json: JSONValue, makingRoom makesRoom: Bool = false, endingAt end: Instant? = nil
    ) throws -> Definition {
        try FieldRule.name.check(name, field: "name")
        try CheckDefinition(ledger: ledger, app: app)(json)
        guard json.utf8.count <= Definition.bytes else {
            throw EyotError(.bodyTooLarge, "a definition has at most \(Definition.bytes) bytes")
        }
        let isNew = try ledger.definition(name, in: app).map { $0.usedAt != nil } ?? true
        guard try makesRoom || !isNew || ledger.definitionCount(of: app) < Definition.limit else {
            throw EyotError(.tooManyDefinitions, "the app already has \(Definition.limit) definitions")
        }
        var definition = Definition(app: app, name: name, json: json, changedAt: now)
        definition.endsAt = end
        if makesRoom { definition.usedAt = now }
        try ledger.put(definition)
        if makesRoom { try ledger.removeDefinitions(of: app, beyond: Definition.limit) }
        return definition
    }
}
