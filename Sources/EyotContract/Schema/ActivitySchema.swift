/// The JSON from which a Live Activity type is decoded. A backend must send such JSON for a phone to show it.
///
/// `ActivitySchema(of:)` in EyotKit derives it from the Swift type. It is kept beside the app's code and registered
/// with the server, which refuses values that a phone could not show.
public struct ActivitySchema: Sendable, Hashable {
    /// The name of the attributes type, as in `attributes-type`.
    public var type: String
    /// The shape of a start's `attributes`.
    public var attributes: JSONShape
    /// The shape of a `content-state`.
    public var contentState: JSONShape
    /// The named shapes, by name.
    public var types: [String: JSONShape]

    /// Makes a schema of its parts.
    public init(
        type: String, attributes: JSONShape, contentState: JSONShape, types: [String: JSONShape] = [:]
    ) {
        self.type = type
        self.attributes = attributes
        self.contentState = contentState
        self.types = types
    }

    /// Returns the member of a start's attributes with this name; nil if not every card has it.
    public func attributesMember(_ name: String) -> ObjectShape.Member? {
        // A name leads to a shape. More steps than there are names form a circle.
        member(name, of: attributes, steps: types.count + Self.unionDepth)
    }

    /// The depth of nested unions that is searched.
    private static let unionDepth = 4

    private func member(_ name: String, of shape: JSONShape, steps: Int) -> ObjectShape.Member? {
        guard steps >= 0 else { return nil }
        switch shape {
        case .object(let object): return object.member(name)
        case .reference(let other): return types[other].flatMap { member(name, of: $0, steps: steps - 1) }
        case .union(let shapes):
            // Each shape of the union must have the member.
            let members = shapes.map { member(name, of: $0, steps: steps - 1) }
            return members.contains(nil) ? nil : members.first ?? nil
        default: return nil
        }
    }

    /// Returns why a start's attributes would not decode on a phone; nil if they do.
    public func mismatch(ofAttributes value: JSONValue) -> SchemaMismatch? {
        var check = ShapeCheck(types: types)
        return check.mismatch(of: value, attributes, at: .attributes)
    }

    /// Returns why a state would not decode on a phone; nil if it does.
    public func mismatch(ofContentState value: JSONValue) -> SchemaMismatch? {
        var check = ShapeCheck(types: types)
        return check.mismatch(of: value, contentState, at: .contentState)
    }
}

/// A value that does not fit a schema: the place and the reason.
public struct SchemaMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of member names and indices from the payload's member on: `content-state.goals[2].minute`.
    public var path: String
    /// The reason in words: `2.5 does not decode as Int`.
    public var reason: String

    /// Whether a required member is missing.
    public var isOfMissing: Bool { reason == Self.missing }

    static let missing = "is missing"

    /// The mismatch as calls and commands report it.
    public var json: JSONValue { ["path": .string(path), "reason": .string(reason)] }

    /// Path and reason.
    public var description: String { "\(path): \(reason)" }
}
