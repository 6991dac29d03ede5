import ActivityKitStandIn
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// A Live Activity type that the app on a lab's phones has.
public struct LabType: Sendable {
    /// The name in `attributes-type`.
    public let name: String
    /// The members of the attributes in which a card's name may stand, the first that has one decides.
    let nameMembers: [String]
    /// What a push must be to decode, as the server is told it; nil where that is not known.
    public let schema: ActivitySchema?
    /// Whether a push decodes.
    let check: PayloadCheck
    /// Registers the type for remote starts and follows its cards.
    let install: @Sendable (Eyot) -> Void
    /// Starts a card from within the app and has it followed; answers its id.
    let request: @Sendable (LocalStart, Eyot) throws -> String
    /// Updates or ends a card, by its id, from within the app.
    let change: @Sendable (String, LocalChange, Eyot) async throws -> Void

    /// Where a card's name stands unless a type says otherwise: our own member, then those of the vendors.
    public static let defaultNameMembers =
        [AttributesMember.activityName] + AttributesMember.vendorNames + ["gameID"]

    /// A type that is a Swift type: what a push carries must decode into it, as on a phone.
    ///
    /// - Parameter schema: what the server is to check calls against, for example `ActivitySchema(of: type)`; without
    ///   one
    ///   it takes everything.
    public init<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type, nameMembers: [String] = defaultNameMembers, schema: ActivitySchema? = nil
    ) where Attributes.ContentState: SendableMetatype {
        self.init(type, nameMembers: nameMembers, schema: schema, check: .decoding(type))
    }

    init<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type, nameMembers: [String], schema: ActivitySchema?, check: PayloadCheck
    ) {
        name = check.type
        self.schema = schema
        self.nameMembers = nameMembers
        self.check = check
        install = { eyot in
            eyot.register(type)
            eyot.resume(type) { attributes in
                // Attributes that cannot be written as JSON carry no name either.
                guard let data = try? JSONEncoder().encode(attributes), let json = try? JSONValue(parsing: data)
                else { return nil }
                return Self.name(in: json, members: nameMembers)
            }
        }
        request = { start, eyot in
            let activity = try start.request(type)
            eyot.observe(activity, name: start.name ?? Self.name(in: start.attributes, members: nameMembers))
            return activity.id
        }
        change = { id, change, eyot in try await change.apply(to: id, of: type, eyot) }
    }

    /// The schema as the server gets it. The lab's app finds a card's name in the attributes whatever the type is, so
    /// one
    /// that has no member for it gets ours, where a further member does no harm.
    var schemaForServer: ActivitySchema? {
        guard var schema else { return nil }
        schema.type = name
        let hasName = nameMembers.contains { schema.attributesMember($0) != nil }
        guard !hasName, case .object(var attributes) = schema.attributes, attributes.allowsOthers else { return schema }
        attributes.members.append(
            .init(AttributesMember.activityName, .optional(.text(.string)), isRequired: false))
        schema.attributes = .object(attributes)
        return schema
    }

    /// The name that attributes give to their card, nil for none.
    public func name(in attributes: JSONValue) -> String? { Self.name(in: attributes, members: nameMembers) }

    private static func name(in attributes: JSONValue, members: [String]) -> String? {
        members.lazy.compactMap { attributes.object?[$0] }
            // Insider's identifier may be an object with the name in it.
            .compactMap { $0.string ?? $0.object?["activityId"]?.string }.first { !$0.isEmpty }
    }
}
