/// Which JSON a Live Activity type is decoded from: what a backend has to send so that a phone shows it.
///
/// It is found from the Swift type (`ActivitySchema(of:)` in EyotKit), kept beside the app's code, and given to the server, which
/// refuses what a phone could not show.
public struct ActivitySchema: Sendable, Hashable {
    /// The name of the attributes type, as in `attributes-type`.
    public var type: String
    /// What a start's `attributes` have to be.
    public var attributes: JSONShape
    /// What a `content-state` has to be.
    public var contentState: JSONShape
    /// The shapes that have names, by these.
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

    /// The member of a start's attributes with this name, where there is one for every card.
    public func attributesMember(_ name: String) -> ObjectShape.Member? {
        // Names lead to shapes; more steps than there are names lead in a circle.
        member(name, of: attributes, steps: types.count + Self.unionDepth)
    }

    /// Unions that are looked into, one in the other.
    private static let unionDepth = 4

    private func member(_ name: String, of shape: JSONShape, steps: Int) -> ObjectShape.Member? {
        guard steps >= 0 else { return nil }
        switch shape {
        case .object(let object): return object.member(name)
        case .reference(let other): return types[other].flatMap { member(name, of: $0, steps: steps - 1) }
        case .union(let shapes):
            // Each of them must have it.
            let members = shapes.map { member(name, of: $0, steps: steps - 1) }
            return members.contains(nil) ? nil : members.first ?? nil
        default: return nil
        }
    }

    /// Why a start's attributes would not decode on a phone; nil where they do.
    public func mismatch(ofAttributes value: JSONValue) -> SchemaMismatch? {
        var check = ShapeCheck(types: types)
        return check.mismatch(of: value, attributes, at: .attributes)
    }

    /// Why a state would not decode on a phone; nil where it does.
    public func mismatch(ofContentState value: JSONValue) -> SchemaMismatch? {
        var check = ShapeCheck(types: types)
        return check.mismatch(of: value, contentState, at: .contentState)
    }
}

/// Why a value does not fit a schema, and where.
public struct SchemaMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// Member names and indices from the payload's member on: `content-state.goals[2].minute`.
    public var path: String
    /// What is wrong there, in words: `2.5 does not decode as Int`.
    public var reason: String

    /// Whether a member that has to be there is not.
    public var isOfMissing: Bool { reason == Self.missing }

    static let missing = "is missing"

    /// As calls and commands tell it.
    public var json: JSONValue { ["path": .string(path), "reason": .string(reason)] }

    /// Path and reason.
    public var description: String { "\(path): \(reason)" }
}
