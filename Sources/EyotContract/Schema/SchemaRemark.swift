import Foundation

/// A remark about a value that fits its schema and probably does not show what its sender means.
public struct SchemaRemark: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of remarks.
    public enum Kind: Sendable, Hashable {
        /// A number in a Swift `Date` looks like a Unix time. A `Date` counts seconds from 2001, a Unix time from 1970.
        case unixDate(UnixDate)
        /// The type has no such member, so its decoder ignores it. `meant` is a member that it has, if one is near.
        case unread(meant: String?)
    }

    /// The path of member names and indices from the payload's member on: `content-state.until`.
    public var path: String
    /// The kind of the remark.
    public var kind: Kind

    /// Whether the type has no such member.
    public var isUnread: Bool {
        if case .unread = kind { true } else { false }
    }

    /// A sentence that names the path.
    public var description: String { description(at: path) }

    /// Returns the same sentence with another path for the member, in the form that its reader knows.
    public func description(at path: String) -> String {
        switch kind {
        case .unixDate(let date): return "\(path) \(date)"
        case .unread(let meant):
            let question = meant.map { "; did you mean \($0)?" } ?? "."
            return "\(path) is not a member of the type, so phones ignore it\(question)"
        }
    }
}

/// A number in a Swift `Date` that looks like a Unix time.
public struct UnixDate: Sendable, Hashable, CustomStringConvertible {
    /// The number as it was sent.
    public var literal: String
    /// Whether the number counts milliseconds, as in JavaScript, instead of seconds.
    public var isInMilliseconds: Bool
    /// The moment that the sender means, in seconds since 1970.
    public var meant: Double

    /// The part of a sentence after the member's name: the date that phones show, and the number to send.
    public var description: String {
        let unit = isInMilliseconds ? "milliseconds" : "seconds"
        return
            "is \(literal), which looks like Unix time in \(unit). A Swift Date counts seconds from 2001, so phones show "
            + "\(Self.day(of: shown)). For \(Self.day(of: meant)) send \(swiftSeconds)."
    }

    /// The moment that phones show, in seconds since 1970.
    private var shown: Double { (Double(literal) ?? 0) + Date.timeIntervalBetween1970AndReferenceDate }

    /// The number of seconds to send.
    private var swiftSeconds: String {
        let seconds = meant - Date.timeIntervalBetween1970AndReferenceDate
        let whole = seconds.rounded()
        return seconds == whole ? String(Int64(whole)) : String((seconds * 1_000).rounded() / 1_000)
    }

    /// Returns a day in UTC. Its year may have more than four digits.
    private static func day(of seconds: Double) -> String {
        let day = CivilDay(daysSince1970: Int((seconds / 86_400).rounded(.down)))
        return "\(day.year)-\(day.month < 10 ? "0" : "")\(day.month)-\(day.day < 10 ? "0" : "")\(day.day)"
    }

    /// Nil if the number does not look like a Unix time. It does if it is nearer to the present as a Unix time than as
    /// a Swift `Date`.
    ///
    /// - Parameter now: the present, in seconds since 1970.
    init?(_ literal: String, now: Double) {
        guard let number = Double(literal), number.isFinite else { return nil }
        let reach = Date.timeIntervalBetween1970AndReferenceDate / 2
        for (isInMilliseconds, moment) in [(false, number), (true, number / 1_000)] where abs(moment - now) < reach {
            (self.literal, self.isInMilliseconds, self.meant) = (String(literal.prefix(40)), isInMilliseconds, moment)
            return
        }
        return nil
    }
}

extension ActivitySchema {
    /// Returns the remarks about a start's attributes, at most 16. Members for a card's name are exempt.
    ///
    /// - Parameter now: the present, in seconds since 1970.
    public func remarks(onAttributes value: JSONValue, at now: Double) -> [SchemaRemark] {
        let names = [AttributesMember.activityName] + AttributesMember.vendorNames
        let paths = Set(names.map { ShapeCheck.Path.attributes.member($0).text })
        return remarks(on: value, attributes, at: .attributes, now).filter { !paths.contains($0.path) }
    }

    /// Returns the remarks about a state, at most 16.
    ///
    /// - Parameter now: the present, in seconds since 1970.
    public func remarks(onContentState value: JSONValue, at now: Double) -> [SchemaRemark] {
        remarks(on: value, contentState, at: .contentState, now)
    }

    private func remarks(
        on value: JSONValue, _ shape: JSONShape, at path: ShapeCheck.Path, _ now: Double
    ) -> [SchemaRemark] {
        var search = RemarkSearch(types: types, now: now)
        search.look(at: value, shape, path)
        return search.found
    }
}

/// A search for remarks in a value along its shape.
private struct RemarkSearch {
    private static let limit = 16

    let types: [String: JSONShape]
    let now: Double
    private(set) var found: [SchemaRemark] = []
    /// The number of shapes that may still be visited; see ``ShapeCheck``.
    private var budget = 100_000

    init(types: [String: JSONShape], now: Double) { (self.types, self.now) = (types, now) }

    mutating func look(at value: JSONValue, _ shape: JSONShape, _ path: ShapeCheck.Path) {
        budget -= 1
        guard budget > 0, found.count < Self.limit else { return }
        switch (shape, value) {
        case (.number(.date), .number(let literal)):
            if let date = UnixDate(literal, now: now) { note(.unixDate(date), path) }
        case (.array(let element), .array(let values)):
            for (index, value) in values.enumerated() { look(at: value, element, path.element(index)) }
        case (.tuple(let shapes), .array(let values)):
            for (index, pair) in zip(values, shapes).enumerated() { look(at: pair.0, pair.1, path.element(index)) }
        case (.map(let shape, _), .object(let object)):
            for member in object.members { look(at: member.value, shape, path.member(member.name)) }
        case (.object(let shape), .object(let object)): look(at: object, shape.members, path)
        case (.choice(let choices), .object(let object)): look(at: object, choices, path)
        case (.union(let shapes), _):
            // A decoder takes the first shape that fits.
            var check = ShapeCheck(types: types)
            if let shape = shapes.first(where: { check.mismatch(of: value, $0, at: path) == nil }) {
                look(at: value, shape, path)
            }
        case (.reference(let name), _):
            if let shape = types[name] { look(at: value, shape, path) }
        default: break
        }
    }

    private mutating func look(at object: JSONObject, _ members: [ObjectShape.Member], _ path: ShapeCheck.Path) {
        for member in object.members {
            if let known = members.first(where: { $0.name == member.name }) {
                look(at: member.value, known.shape, path.member(member.name))
            } else {
                // A schema written by hand may require an object without naming its members.
                guard !members.isEmpty else { continue }
                let free = members.map(\.name).filter { object[$0] == nil }
                note(.unread(meant: NearMiss.of(member.name, among: free)), path.member(member.name))
            }
        }
    }

    private mutating func note(_ kind: SchemaRemark.Kind, _ path: ShapeCheck.Path) {
        if found.count < Self.limit { found.append(SchemaRemark(path: path.text, kind: kind)) }
    }
}
