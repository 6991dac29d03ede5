import EyotContract
import EyotDomain

/// The check of a definition's attributes against the schema of its type. Without a member that each phone needs, each
/// call with the definition would be refused.
struct CheckDefinition {
    let ledger: any Ledger
    let app: AppID

    /// Checks the names of the outermost members alone, because places get their values from calls. States change from
    /// call to call. Calls check a type with schemas for single builds, because they know the builds.
    ///
    /// - Throws: `schemaMismatch`, which names the member.
    func callAsFunction(_ json: JSONValue) throws {
        guard let declaration = json.object?["declaration"]?.object, let type = declaration["type"]?.string,
            let pushed = try ledger.schema(of: type, build: TypeSchema.everyOtherBuild, in: app),
            try ledger.schemas(of: type, in: app).count == 1
        else { return }
        guard let given = declaration["attributes"]?.object,
            case .object(let object) = try pushed.schema().attributes
        else { return }
        for member in object.members where member.isRequired && given[member.name] == nil {
            guard !Self.filled.contains(member.name) else { continue }
            var error = EyotError(
                .schemaMismatch, "attributes.\(member.name) is missing, and the schema of \(type) needs it",
                field: "declaration.attributes.\(member.name)")
            error.isOfMissing = true
            throw error
        }
    }

    /// The attributes that the server fills in: the name of a card.
    private static let filled = [AttributesMember.activityName] + AttributesMember.vendorNames
}
