import EyotContract
import EyotKit
import Foundation

/// Attributes that carry the backend's name for a card.
///
/// A conforming type is not tied to an actor (`SendableMetatype`), because its cards are followed in parallel to the
/// app's other work.
@available(iOS 16.1, *)
public protocol InsiderLiveActivitiesAttributes: ActivityAttributes, SendableMetatype {
    /// The card's identifier. A start by the backend fills it in: the activity's name, or an object with it.
    var insiderLiveActivityId: InsiderLiveActivityIdentifier { get }
}

/// The name of a card, with the user and the app that it was made for.
///
/// In JSON it is the bare name if the other members are empty, and otherwise an object of its three members. Both forms
/// are read.
public struct InsiderLiveActivityIdentifier: RawRepresentable, Codable, Sendable, Hashable, CustomStringConvertible {
    /// The name by which the backend speaks of the card, 1 to 256 bytes.
    public let activityId: String
    /// The user who was logged in when the app made the card. Empty if there was none, or if a start by the backend
    /// does not say.
    public let insiderId: String
    /// The bundle identifier of the app that made it; empty in a start by the backend that does not say.
    public let partnerName: String

    private init(activityId: String, insiderId: String, partnerName: String) {
        self.activityId = activityId
        self.insiderId = insiderId
        self.partnerName = partnerName
    }

    /// A name that no other card has.
    public static var auto: Self { custom(UUID().uuidString) }

    /// A name of the app's own, 1 to 256 bytes. No other running card should have it.
    public static func custom(_ id: String) -> Self {
        let eyot = Eyot.shared
        return Self(
            activityId: id, insiderId: eyot?.user ?? "", partnerName: eyot?.configuration.bundleID ?? "")
    }

    // MARK: Raw value and JSON

    private enum Members: String, CodingKey {
        case activityId, insiderId, partnerName
    }

    private var isName: Bool { insiderId.isEmpty && partnerName.isEmpty }

    /// The name, or the JSON object of the three members.
    public var rawValue: String {
        guard !isName else { return activityId }
        let members: [(Members, String)] = [
            (.activityId, activityId), (.insiderId, insiderId), (.partnerName, partnerName),
        ]
        return JSONValue.object(JSONObject(members.map { ($0.rawValue, .string($1)) })).text
    }

    /// Reads a raw value; every text is one.
    public init?(rawValue: String) {
        let object = (try? JSONValue(parsing: Array(rawValue.utf8)))?.object
        func member(_ name: Members) -> String? { object?[name.rawValue]?.string }
        self.init(
            activityId: member(.activityId) ?? rawValue, insiderId: member(.insiderId) ?? "",
            partnerName: member(.partnerName) ?? "")
    }

    /// Reads a bare name, or an object in which the other two members may be missing.
    public init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self.init(activityId: name, insiderId: "", partnerName: "")
            return
        }
        let members = try decoder.container(keyedBy: Members.self)
        self.init(
            activityId: try members.decode(String.self, forKey: .activityId),
            insiderId: try members.decodeIfPresent(String.self, forKey: .insiderId) ?? "",
            partnerName: try members.decodeIfPresent(String.self, forKey: .partnerName) ?? "")
    }

    /// Writes the bare name if there is nothing else.
    public func encode(to encoder: any Encoder) throws {
        if isName {
            var container = encoder.singleValueContainer()
            return try container.encode(activityId)
        }
        var members = encoder.container(keyedBy: Members.self)
        try members.encode(activityId, forKey: .activityId)
        try members.encode(insiderId, forKey: .insiderId)
        try members.encode(partnerName, forKey: .partnerName)
    }

    /// The name.
    public var description: String { activityId }
}

/// A bare name, or an object in which the other two members may be missing.
extension InsiderLiveActivityIdentifier: JSONShapeDescribing {
    /// The JSON that it decodes from.
    public static var jsonShape: JSONShape {
        .union([
            .text(.string),
            .object(
                ObjectShape([
                    .init("activityId", .text(.string)),
                    .init("insiderId", .optional(.text(.string)), isRequired: false),
                    .init("partnerName", .optional(.text(.string)), isRequired: false),
                ])),
        ])
    }
}
