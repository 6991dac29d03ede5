import EyotContract
import EyotDomain

/// One form under which an attribute's value is found. The texts of a kind sort like the values.
struct AttributeFacet: Hashable {
    enum Kind {
        static let text = "text"
        static let number = "number"
        static let flag = "flag"
        static let moment = "moment"
        static let element = "element"
        /// An array, even an empty one.
        static let array = "array"
    }

    var kind: String
    var text: String

    static func number(_ number: Double) -> AttributeFacet {
        // The bits of positive numbers sort like the numbers. The bits of negative numbers sort the other way round.
        let bits = (number == 0 ? 0 : number).bitPattern
        return AttributeFacet(kind: Kind.number, text: digits(bits >> 63 == 0 ? bits | 1 << 63 : ~bits))
    }

    static func moment(_ moment: Instant) -> AttributeFacet {
        AttributeFacet(
            kind: Kind.moment, text: digits(UInt64(bitPattern: moment.microseconds) ^ 1 << 63))
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension AttributeValue {
    /// The form that equal values share; nil for an array.
    var facet: AttributeFacet? {
        switch self {
        case .text(let text): AttributeFacet(kind: AttributeFacet.Kind.text, text: text)
        case .number(let number): .number(number)
        case .flag(let flag): AttributeFacet(kind: AttributeFacet.Kind.flag, text: flag ? "true" : "false")
        case .texts: nil
        }
    }

    /// All forms under which the value is found.
    var facets: Set<AttributeFacet> {
        switch self {
        case .text(let text):
            var facets = Set([facet].compactMap(\.self))
            if let moment = Instant(dateText: text) { facets.insert(.moment(moment)) }
            return facets
        case .texts(let elements):
            var facets = Set(elements.map { AttributeFacet(kind: AttributeFacet.Kind.element, text: $0) })
            facets.insert(AttributeFacet(kind: AttributeFacet.Kind.array, text: ""))
            return facets
        case .number, .flag: return Set([facet].compactMap(\.self))
        }
    }
}
