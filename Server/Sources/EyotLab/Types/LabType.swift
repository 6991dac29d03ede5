import ActivityKitStandIn
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// A Live Activity type of the app on a lab's phones.
public struct LabType: Sendable {
    /// The name in `attributes-type`.
    public let name: String
    /// The members of the attributes that may hold a card's name. The first that has one decides.
    let nameMembers: [String]
    /// The schema that a push must fit to decode, for the server; nil if it is not known.
    public let schema: ActivitySchema?
    /// The check whether a push decodes.
    let check: PayloadCheck
    /// Registers the type for remote starts and follows its cards.
    let install: @Sendable (Eyot) -> Void
    /// Starts a card from within the app, lets the SDK follow it, and returns its id.
    let request: @Sendable (LocalStart, Eyot) throws -> String
    /// Updates or ends a card, by its id, from within the app.
    let change: @Sendable (String, LocalChange, Eyot) async throws -> Void

    /// The default members for a card's name: Eyot's own, then those of the vendors.
    public static let defaultNameMembers =
        [AttributesMember.activityName] + AttributesMember.vendorNames + ["gameID"]

    /// Makes a type from a Swift type. A push must decode into it, as on a phone.
    ///
    /// - Parameter schema: the schema for the server's checks, for example `ActivitySchema(of: type)`. Without one the
    ///   server accepts any value.
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
                // Attributes that cannot be written as JSON have no name either.
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

    /// The schema as the server gets it. A schema without a member for the card's name gets Eyot's, if it allows
    /// further members. The lab's app finds the name there, whatever the type is.
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

    /// Returns the card's name in the attributes; nil if there is none.
    public func name(in attributes: JSONValue) -> String? { Self.name(in: attributes, members: nameMembers) }

    private static func name(in attributes: JSONValue, members: [String]) -> String? {
        members.lazy.compactMap { attributes.object?[$0] }
            // Insider's identifier may be an object that contains the name.
            .compactMap { $0.string ?? $0.object?["activityId"]?.string }.first { !$0.isEmpty }
    }
}
