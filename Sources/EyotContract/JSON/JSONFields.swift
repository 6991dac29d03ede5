/// The error about one member of a JSON body, with its path.
public struct JSONFieldError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of error.
    public enum Problem: Sendable, Equatable {
        case missing
        case unknown
        /// The value is of the wrong kind. The texts name the expected kind and the found one.
        case mistyped(expected: String, found: String)
        /// The value is of the right kind and is not allowed. The text says why.
        case invalid(String)
    }

    /// Member names and indices from the root: `alert.title`, `changes[3].token`. Empty for the body itself.
    public var path: String
    /// What is wrong.
    public var problem: Problem

    /// Makes an error about the member at `path`.
    public init(path: String, _ problem: Problem) {
        self.path = path
        self.problem = problem
    }

    /// A sentence that names the member: `alert.title must be a string, not a number`.
    public var description: String {
        let subject = path.isEmpty ? "the body" : path
        return switch problem {
        case .missing: "\(subject) is missing"
        case .unknown: "\(subject) is not a field of this call"
        case .mistyped(let expected, let found): "\(subject) must be \(expected), not \(found)"
        case .invalid(let reason): "\(subject) \(reason)"
        }
    }
}

/// A reader of one object's members by name. It knows which members were never read.
///
/// It replaces `Codable` because it keeps values as written, names the field in every error and refuses unknown
/// members. `null` counts as absent.
public struct JSONFields: Sendable {
    private let object: JSONObject
    private let path: String
    private var known: Set<String> = []

    /// Makes a reader.
    ///
    /// - Parameter path: the place of the value in the body.
    /// - Throws: ``JSONFieldError`` if the value is not an object.
    public init(_ value: JSONValue, at path: String = "") throws(JSONFieldError) {
        guard let object = value.object else {
            throw JSONFieldError(path: path, .mistyped(expected: "an object", found: value.kind))
        }
        self.object = object
        self.path = path
    }

    /// The path of a member of this object.
    public func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// Reads the value of a member; nil if it is absent or `null`.
    public mutating func value(_ name: String) -> JSONValue? {
        known.insert(name)
        guard let value = object[name], value != .null else { return nil }
        return value
    }

    /// Whether the member is present, even as `null`.
    public func has(_ name: String) -> Bool { object[name] != nil }

    /// Reads a string.
    public mutating func string(_ name: String) throws(JSONFieldError) -> String? {
        try read(name, as: "a string") { $0.string }
    }

    /// Reads `true` or `false`.
    public mutating func bool(_ name: String) throws(JSONFieldError) -> Bool? {
        try read(name, as: "true or false") { $0.bool }
    }

    /// Reads a whole number that fits an `Int`.
    public mutating func integer(_ name: String) throws(JSONFieldError) -> Int? {
        try read(name, as: "a whole number") { $0.integer }
    }

    /// Reads a number that is finite as a `Double`.
    public mutating func double(_ name: String) throws(JSONFieldError) -> Double? {
        try read(name, as: "a number") { $0.double }
    }

    /// Reads an array.
    public mutating func array(_ name: String) throws(JSONFieldError) -> [JSONValue]? {
        try read(name, as: "an array") { $0.array }
    }

    /// Reads an object as a value.
    public mutating func object(_ name: String) throws(JSONFieldError) -> JSONValue? {
        try read(name, as: "an object") { $0.object.map(JSONValue.object) }
    }

    /// Reads an object as further fields.
    public mutating func fields(_ name: String) throws(JSONFieldError) -> JSONFields? {
        guard let value = value(name) else { return nil }
        return try JSONFields(value, at: path(of: name))
    }

    /// Reads an array of strings.
    public mutating func strings(_ name: String) throws(JSONFieldError) -> [String]? {
        guard let array = try array(name) else { return nil }
        var strings: [String] = []
        for (index, element) in array.enumerated() {
            guard let string = element.string else {
                throw JSONFieldError(
                    path: "\(path(of: name))[\(index)]", .mistyped(expected: "a string", found: element.kind))
            }
            strings.append(string)
        }
        return strings
    }

    /// Returns the value, or throws the error that names the missing member.
    public func required<Value>(_ name: String, _ value: Value?) throws(JSONFieldError) -> Value {
        guard let value else { throw JSONFieldError(path: path(of: name), .missing) }
        return value
    }

    /// Returns the error for a member of the right kind that is not allowed.
    public func invalid(_ name: String, _ reason: String) -> JSONFieldError {
        JSONFieldError(path: path(of: name), .invalid(reason))
    }

    /// The paths of members that were never read, in their order.
    public var unread: [String] {
        object.members.lazy.map(\.name).filter { !known.contains($0) }.map(path(of:))
    }

    /// Throws if a member was never read. Call it after all other members are read.
    public func finish() throws(JSONFieldError) {
        if let path = unread.first { throw JSONFieldError(path: path, .unknown) }
    }

    private mutating func read<Value>(
        _ name: String, as expected: String, _ convert: (JSONValue) -> Value?
    ) throws(JSONFieldError) -> Value? {
        guard let value = value(name) else { return nil }
        guard let converted = convert(value) else {
            throw JSONFieldError(path: path(of: name), .mistyped(expected: expected, found: value.kind))
        }
        return converted
    }
}
