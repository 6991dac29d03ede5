import EyotContract
import Foundation

/// The rule by which the cards of a type get their names.
@available(iOS 16.2, *)
struct CardNaming<Attributes: ActivityAttributes & SendableMetatype>: Sendable {
    /// The app's own rule, which comes first. Its argument is an `Attributes`.
    let name: (@Sendable (Any) -> String?)?

    /// Returns the name that the attributes give; nil for none. An empty name counts as none.
    func name(of attributes: Attributes) -> String? {
        if let name = name?(attributes), !name.isEmpty { return name }
        if let named = attributes as? any EyotActivityAttributes, let name = named.eyotActivityName, !name.isEmpty {
            return name
        }
        return Self.vendorName(of: attributes)
    }

    /// Returns the name in a vendor's member of the attributes, so that apps which come from a vendor need no change.
    /// Insider's member may be an object that holds the name.
    private static func vendorName(of attributes: Attributes) -> String? {
        // Attributes that do not encode as JSON have no such member either.
        guard let data = try? JSONEncoder().encode(attributes), let object = (try? JSONValue(parsing: data))?.object
        else { return nil }
        return AttributesMember.vendorNames.lazy.compactMap { member in
            object[member]?.string ?? object[member]?.object?["activityId"]?.string
        }.first { !$0.isEmpty }
    }
}
