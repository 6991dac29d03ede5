import EyotContract
import Foundation

/// How the cards of a type come by their names.
@available(iOS 16.2, *)
struct CardNaming<Attributes: ActivityAttributes & SendableMetatype>: Sendable {
    /// The app's own way, before all others. It takes `Attributes`.
    let name: (@Sendable (Any) -> String?)?

    /// The name that these attributes give, nil for none. An empty one is none.
    func name(of attributes: Attributes) -> String? {
        if let name = name?(attributes), !name.isEmpty { return name }
        if let named = attributes as? any EyotActivityAttributes, let name = named.eyotActivityName, !name.isEmpty {
            return name
        }
        return Self.vendorName(of: attributes)
    }

    /// The name in a member that the vendors' types carry one in, so that apps which come from them need no change. Insider's
    /// may be an object, with the name in a member of its own.
    private static func vendorName(of attributes: Attributes) -> String? {
        // Attributes that cannot be written as JSON have no such member either.
        guard let data = try? JSONEncoder().encode(attributes), let object = (try? JSONValue(parsing: data))?.object
        else { return nil }
        return AttributesMember.vendorNames.lazy.compactMap { member in
            object[member]?.string ?? object[member]?.object?["activityId"]?.string
        }.first { !$0.isEmpty }
    }
}
