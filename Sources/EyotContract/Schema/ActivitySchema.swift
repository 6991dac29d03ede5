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
        var shape = attributes
        // Names lead to shapes; more steps than there are names lead in a circle.
        for _ in 0...types.count {
            switch shape {
            case .object(let object): return object.member(name)
            case .reference(let other):
                guard let named = types[other] else { return nil }
                shape = named
            default: return nil
            }
        }
        return nil
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
