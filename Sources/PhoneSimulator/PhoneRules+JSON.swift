import EyotContract
import Foundation

/// The switches by their names. Each switch is a property of ``PhoneRules``. Reading and writing derive from the
/// properties, so that no switch is named twice.
extension PhoneRules {
    /// The largest figure that a switch takes: a year in seconds.
    static let figureLimit = 366 * 86_400.0
    /// The largest limit of a budget, because a phone remembers as many moments.
    static let budgetLimit = 10_000.0

    /// The names of all switches, in the order of their declarations.
    public static let names: [String] = Mirror(reflecting: PhoneRules()).children.compactMap(\.label)

    /// Every switch and its position; `null` stands for no limit.
    public var json: JSONValue {
        let written = (try? JSONValue(parsing: JSONEncoder().encode(self)))?.object ?? JSONObject()
        return .object(
            JSONObject(
                Self.names.map { name in
                    guard let budget = written[name]?.object else { return (name, written[name] ?? .null) }
                    // An encoder omits nil.
                    let limit = ("limit", budget["limit"] ?? .null)
                    return (name, .object(JSONObject([limit, ("window", budget["window"] ?? .null)])))
                }))
    }

    /// Sets the switches that an object names. Other switches and other members of a budget keep their values.
    ///
    /// - Parameter path: the object's place in a body.
    /// - Throws: `JSONFieldError`, which names the first switch that does not exist or has an invalid value.
    public mutating func change(_ switches: JSONValue, at path: String = "") throws(JSONFieldError) {
        guard let changes = switches.object else {
            throw JSONFieldError(path: path, .mistyped(expected: "an object", found: switches.kind))
        }
        for member in changes.members { try put(member.name, to: member.value, at: path) }
    }

    private mutating func put(_ name: String, to value: JSONValue, at path: String) throws(JSONFieldError) {
        let place = path.isEmpty ? name : "\(path).\(name)"
        var all = json.object ?? JSONObject()
        guard let old = all[name] else { throw JSONFieldError(path: place, .unknown) }
        all[name] = try Self.merged(old, value, at: place)
        do {
            self = try JSONDecoder().decode(PhoneRules.self, from: Data(JSONValue.object(all).utf8))
        } catch {
            let words = SchemaMismatch.words(for: error, decoding: PhoneRules.self, from: .object(all))
            throw JSONFieldError(path: place, .invalid("cannot be \(value.text.prefix(60)): \(words)"))
        }
    }

    /// A budget keeps the members that are not named.
    private static func merged(
        _ old: JSONValue, _ new: JSONValue, at place: String
    ) throws(JSONFieldError) -> JSONValue {
        guard var budget = old.object, let changes = new.object else {
            try check(new, limit: figureLimit, at: place)
            return new
        }
        for member in changes.members {
            let part = "\(place).\(member.name)"
            guard budget[member.name] != nil else { throw JSONFieldError(path: part, .unknown) }
            try check(member.value, limit: member.name == "limit" ? budgetLimit : figureLimit, at: part)
            budget[member.name] = member.value
        }
        return .object(budget)
    }

    private static func check(_ value: JSONValue, limit: Double, at place: String) throws(JSONFieldError) {
        guard let figure = value.double, !(0...limit).contains(figure) else { return }
        throw JSONFieldError(path: place, .invalid("must lie between 0 and \(Int(limit))"))
    }
}
