import EyotContract

/// The switches by their names, as the lab puts them.
extension APNSRules {
    private static let flags: [(name: String, path: WritableKeyPath<APNSRules, Bool> & Sendable)] = [
        ("oneStreamUntilValidToken", \.oneStreamUntilValidToken),
        ("acceptsTextIssueTime", \.acceptsTextIssueTime),
        ("acceptsDERSignature", \.acceptsDERSignature),
        ("countsFirstTokenAsUpdate", \.countsFirstTokenAsUpdate),
        ("wedgesAfterExpiredToken", \.wedgesAfterExpiredToken),
        ("pushHostTakesBroadcasts", \.pushHostTakesBroadcasts),
        ("broadcastNeedsPriorityAndExpiration", \.broadcastNeedsPriorityAndExpiration),
        ("broadcastTakesLowestPriority", \.broadcastTakesLowestPriority),
    ]
    private static let checks = "order"
    private static let malformed = "malformedPayload"

    /// The names of all switches.
    public static var names: [String] { [checks, malformed] + flags.map(\.name) }

    /// Every switch and its position.
    public var json: JSONValue {
        let words: [(String, JSONValue)] = [
            (Self.checks, .array(order.map { .string($0.rawValue) })),
            (Self.malformed, .string(malformedPayload.rawValue)),
        ]
        return .object(JSONObject(words + Self.flags.map { ($0.name, .bool(self[keyPath: $0.path])) }))
    }

    /// Sets one switch. Of the order of checks a list says which ones come first.
    ///
    /// - Parameter path: the switch's place in a body.
    /// - Throws: `JSONFieldError`, for a switch that does not exist or an invalid value.
    public mutating func change(_ name: String, to value: JSONValue, at path: String) throws(JSONFieldError) {
        if let flag = Self.flags.first(where: { $0.name == name }) {
            guard let isOn = value.bool else {
                throw JSONFieldError(path: path, .invalid("must be true or false"))
            }
            self[keyPath: flag.path] = isOn
        } else if name == Self.malformed {
            guard let word = value.string.flatMap(MalformedPayload.init) else {
                let words = MalformedPayload.allCases.map(\.rawValue).joined(separator: " or ")
                throw JSONFieldError(path: path, .invalid("must be \(words)"))
            }
            malformedPayload = word
        } else if name == Self.checks {
            let first = (value.array ?? []).map { $0.string.flatMap(APNSCheck.init) }
            guard value.array != nil, first.allSatisfy({ $0 != nil }) else {
                let words = APNSCheck.allCases.map(\.rawValue).joined(separator: ", ")
                throw JSONFieldError(path: path, .invalid("must be a list of these checks: \(words)"))
            }
            check(first: first.compactMap(\.self))
        } else {
            throw JSONFieldError(path: path, .unknown)
        }
    }
}
