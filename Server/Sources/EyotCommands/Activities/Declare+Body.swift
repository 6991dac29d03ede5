import EyotContract
import EyotDomain

extension Declare {
    /// Takes a declaration as a caller wrote it.
    ///
    /// - Parameter match: the version that the caller has seen.
    /// - Throws: ``EyotError`` where the request cannot be taken; then nothing has changed.
    package func callAsFunction(
        _ body: DeclarationBody, match: VersionMatch?
    ) throws -> Operation {
        var (request, warnings) = try body.request(at: now)
        request.match = match
        try request.nameCards()
        let newest = try newestActivity(named: request.name)
        let current = try newest.flatMap { try ledger.declaration($0.declaredState, of: $0.id) }
        warnings += try PayloadSize(request, activity: newest, current: current).check()
        return try self(request, warnings: warnings)
    }
}

extension DeclarationRequest {
    /// Sees to it that a started card says which activity it belongs to: the phone could tell nobody, else. Where a member of
    /// the attributes has the name already, be it one of a vendor's, they stay as they are.
    ///
    /// - Throws: `fieldInvalid` where they name another activity.
    mutating func nameCards() throws(EyotError) {
        guard var object = attributes?.object else { return }
        let member = AttributesMember.activityName
        switch object[member] {
        case .string(name): return
        case nil, .null:
            guard !object.members.contains(where: { $0.value.string == name }) else { return }
            object[member] = .string(name)
            attributes = .object(object)
        default:
            throw EyotError(
                .fieldInvalid, "attributes.\(member) must be the activity's name, \(name)",
                field: "attributes.\(member)")
        }
    }
}
