import EyotContract
import EyotDomain

/// The names on cards: a card that a push starts must say which activity it belongs to, because its phone cannot know
/// it otherwise.
struct NameCards {
    let ledger: any Ledger
    let app: AppID

    /// Puts the activity's name into the members of the attributes that the type has for it. Without a schema the
    /// member is Eyot's own, unless a member has the name already.
    ///
    /// - Parameter builds: The builds of the audience.
    /// - Returns: The warnings for the caller.
    /// - Throws: `fieldInvalid` if a member names another activity.
    func callAsFunction(_ request: inout DeclarationRequest, builds: Set<String>) throws -> [String] {
        guard var object = request.attributes?.object, let type = request.type,
            !NamelessActivity.isNamelessName(request.name)
        else { return [] }
        let name = request.name
        let schemas = try schemas(of: type, builds)
        for member in members(of: schemas) where try Self.needs(object, member, name) {
            let isSaid = object.members.contains { $0.value.string == name }
            if schemas.isEmpty, isSaid { continue }
            object[member] = .string(name)
        }
        request.attributes = .object(object)
        guard object.members.contains(where: { $0.value.string == name }) else {
            return ["\(type) has no member for the activity's name, so its cards cannot report the name \(name)"]
        }
        return []
    }

    private func schemas(of type: String, _ builds: Set<String>) throws -> [ActivitySchema] {
        guard try ledger.hasSchemas(of: type, in: app) else { return [] }
        var schemas = BuildSchemas(ledger: ledger, app: app, type: type)
        return try schemas.schemas(of: builds)
    }

    /// The members that must have the card's name.
    private func members(of schemas: [ActivitySchema]) -> [String] {
        let own = AttributesMember.activityName
        guard !schemas.isEmpty else { return [own] }
        return ([own] + AttributesMember.vendorNames).filter { member in
            schemas.contains { $0.attributesMember(member)?.shape.takesText ?? false }
        }
    }

    /// Whether a member lacks the name.
    private static func needs(_ object: JSONObject, _ member: String, _ name: String) throws(EyotError) -> Bool {
        switch object[member] {
        case nil, .null: return true
        // Insider's member may be an object with the name in it.
        case .string(name), .object: return false
        default:
            throw EyotError(
                .fieldInvalid, "attributes.\(member) must be the activity's name, \(name)",
                field: "attributes.\(member)")
        }
    }
}

extension JSONShape {
    /// Whether a text fits.
    fileprivate var takesText: Bool {
        switch self {
        case .any, .text(.string): true
        case .union(let shapes): shapes.contains(where: \.takesText)
        default: false
        }
    }
}
