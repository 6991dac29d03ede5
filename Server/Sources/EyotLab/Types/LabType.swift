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
    /// Whether a push decodes.
    let check: PayloadCheck
    /// Registers the type for remote starts and follows its cards.
    let install: @Sendable (Eyot) -> Void
    /// Starts a card from within the app and has it followed; answers its id.
    let request: @Sendable (LocalStart, Eyot) throws -> String

    /// Where a card's name stands unless a type says otherwise: our own member, then those of the vendors.
    public static let defaultNameMembers =
        [AttributesMember.activityName] + AttributesMember.vendorNames + ["gameID"]

    /// A type that is a Swift type: what a push carries must decode into it, as on a phone.
    public init<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type, nameMembers: [String] = defaultNameMembers
    ) where Attributes.ContentState: SendableMetatype {
        self.init(type, nameMembers: nameMembers, check: .decoding(type))
    }

    init<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type, nameMembers: [String], check: PayloadCheck
    ) {
        name = check.type
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
    }

    /// The name that attributes give to their card, nil for none.
    public func name(in attributes: JSONValue) -> String? { Self.name(in: attributes, members: nameMembers) }

    private static func name(in attributes: JSONValue, members: [String]) -> String? {
        members.lazy.compactMap { attributes.object?[$0] }
            // Insider's identifier may be an object with the name in it.
            .compactMap { $0.string ?? $0.object?["activityId"]?.string }.first { !$0.isEmpty }
    }
}

/// A card that the app on a phone is to start itself.
public struct LocalStart: Sendable {
    /// The name of the type.
    public var type: String
    /// The fixed data.
    public var attributes: JSONValue
    /// What to show first.
    public var contentState: JSONValue
    /// The card's name; nil leaves it to the attributes.
    public var name: String?
    /// By the phone's clock.
    public var staleDate: Date?
    /// Relative to the app's other cards.
    public var relevanceScore: Double

    /// A card to be started.
    public init(
        type: String, attributes: JSONValue, contentState: JSONValue, name: String? = nil, staleDate: Date? = nil,
        relevanceScore: Double = 0
    ) {
        self.type = type
        self.attributes = attributes
        self.contentState = contentState
        self.name = name
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }

    /// Asks ActivityKit, on the phone of the current task.
    fileprivate func request<Attributes: ActivityAttributes>(
        _ type: Attributes.Type
    ) throws -> Activity<Attributes> {
        let decoder = JSONDecoder()
        let state = try decoder.decode(Attributes.ContentState.self, from: Data(contentState.utf8))
        return try Activity.request(
            attributes: decoder.decode(type, from: Data(attributes.utf8)),
            content: ActivityContent(state: state, staleDate: staleDate, relevanceScore: relevanceScore),
            pushType: .token)
    }
}
