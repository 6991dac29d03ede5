import EyotContract
import Foundation

/// How the cards of a type come by their names.
@available(iOS 16.2, *)
struct CardNaming<Attributes: ActivityAttributes & SendableMetatype>: Sendable {
    /// The app's own way, before all others.
    let name: (@Sendable (Attributes) -> String?)?

    /// The members in which the vendors' types carry a name, so that apps which come from them need no change. Insider's may be
    /// an object, with the name in a member of its own.
    static var vendorMembers: [String] { ["netmeraGroupId", "brazeActivityId", "insiderLiveActivityId"] }

    /// The name that these attributes give, nil for none. An empty one is none.
    func name(of attributes: Attributes) -> String? {
        if let name = name?(attributes), !name.isEmpty { return name }
        if let named = attributes as? any EyotActivityAttributes, let name = named.eyotActivityName, !name.isEmpty {
            return name
        }
        return Self.vendorName(of: attributes)
    }

    private static func vendorName(of attributes: Attributes) -> String? {
        // Attributes that cannot be written as JSON have no such member either.
        guard let data = try? JSONEncoder().encode(attributes), let object = (try? JSONValue(parsing: data))?.object
        else { return nil }
        return vendorMembers.lazy.compactMap { member in
            object[member]?.string ?? object[member]?.object?["activityId"]?.string
        }.first { !$0.isEmpty }
    }
}
