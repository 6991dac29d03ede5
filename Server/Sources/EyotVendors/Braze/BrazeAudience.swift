import EyotContract
import EyotDomain

/// The audience of a Braze start: users, a segment, or a connected audience.
enum BrazeAudience {
    /// The most external ids in one call.
    static let idLimit = 50

    /// Reads the audience.
    ///
    /// - Returns: nil if the call names no recipients.
    /// - Throws: an error also if it names them in more than one way.
    static func target(_ fields: inout JSONFields) throws(JSONFieldError) -> Audience? {
        // An empty list counts as no list.
        let users = try fields.strings("external_user_ids").flatMap { $0.isEmpty ? nil : $0 }
        let segment = try fields.string("segment_id")
        if let segment { try JSONFieldError.checkIdentifier(segment, at: fields.path(of: "segment_id")) }
        var connected: Audience?
        var ways = [users != nil ? "external_user_ids" : nil, segment != nil ? "segment_id" : nil]
        for name in ["custom_audience", "audience"] {
            guard let value = fields.value(name) else { continue }
            connected = try BrazeAudience.connected(value, at: name)
            ways.append(name)
        }
        let named = ways.compactMap(\.self)
        guard named.count < 2 else {
            throw fields.invalid(named[1], "stands beside \(named[0]): name the recipients in one way")
        }
        if let users {
            guard users.allSatisfy(DeviceLimits.isIdentifier) else {
                throw fields.invalid(
                    "external_user_ids", "must have 1 to \(DeviceLimits.identifierBytes) bytes in each id and no NUL")
            }
            return .users(users)
        }
        return segment.map(Audience.segment) ?? connected
    }

    /// Reads Braze's grammar of connected audiences.
    private static func connected(_ value: JSONValue, at path: String) throws(JSONFieldError) -> Audience {
        guard let object = value.object else {
            throw JSONFieldError(path: path, .mistyped(expected: "an object", found: value.kind))
        }
        guard let member = object.members.first, object.members.count == 1 else {
            throw JSONFieldError(path: path, .invalid("must have one member: a filter, AND or OR"))
        }
        let place = "\(path).\(member.name)"
        switch member.name {
        case "AND": return .and(try member.value.elements(at: place, connected))
        case "OR": return .or(try member.value.elements(at: place, connected))
        default:
            var fields = try JSONFields(member.value, at: place)
            let filter = try BrazeFilter(member.name, &fields, at: place)
            try fields.finish()
            return filter.audience
        }
    }
}
