/// A check that every value of one schema also fits another.
///
/// A new version of an app has a new schema, while phones still have older versions. States for the new version must
/// decode on those. Older states must decode in the new version, because a card runs on when its app is updated.
struct SchemaContainment {
    /// The named types of the schema that is sent.
    let sent: [String: JSONShape]
    /// The named types of the schema that decodes.
    let read: [String: JSONShape]
    private var mismatches: [SchemaMismatch] = []
    /// The pairs under comparison. A pair that is met again counts as fitting; its other parts reveal a mismatch.
    private var seen: Set<Pair> = []

    private struct Pair: Hashable {
        var sent: JSONShape
        var read: JSONShape
    }

    /// Returns why values of the sent schema may not decode with the other; empty if all of them do.
    static func mismatches(sending sent: ActivitySchema, to read: ActivitySchema) -> [SchemaMismatch] {
        var containment = SchemaContainment(sent: sent.types, read: read.types)
        containment.compare(sent.attributes, read.attributes, at: .attributes)
        containment.compare(sent.contentState, read.contentState, at: .contentState)
        return containment.mismatches
    }

    private init(sent: [String: JSONShape], read: [String: JSONShape]) { (self.sent, self.read) = (sent, read) }

    private mutating func note(_ path: ShapeCheck.Path, _ reason: String) { mismatches.append(path.mismatch(reason)) }

    private mutating func compare(_ from: JSONShape, _ into: JSONShape, at path: ShapeCheck.Path) {
        if case .reference(let name) = from {
            guard seen.insert(Pair(sent: from, read: into)).inserted else { return }
            return compare(sent[name] ?? .any, into, at: path)
        }
        if case .reference(let name) = into { return compare(from, read[name] ?? .any, at: path) }
        if case .union(let shapes) = from {
            for shape in shapes { compare(shape, into, at: path) }
            return
        }
        if case .union(let shapes) = into { return compare(from, anyOf: shapes, at: path) }
        switch (from, into) {
        case (_, .any), (.null, .null), (.bool, .bool): return
        case (.array(let from), .array(let into)): compare(from, into, at: path.element(0))
        case (.tuple(let from), .tuple(let into)): compare(from, into, at: path)
        case (.tuple(let elements), .array(let into)):
            for (index, element) in elements.enumerated() { compare(element, into, at: path.element(index)) }
        case (.map(let from, let keys), .map(let into, let readKeys)):
            if !readKeys.holds(keys) { note(path, "may have keys that are none there") }
            compare(from, into, at: path.member("*"))
        case (.object(let from), .object(let into)): compare(from, into, at: path)
        case (.choice(let from), .choice(let into)): compare(from, into, at: path)
        default: if let reason = from.leafMismatch(with: into) { note(path, reason) }
        }
    }

    /// Compares with a union. One of its shapes must fit.
    private mutating func compare(_ from: JSONShape, anyOf shapes: [JSONShape], at path: ShapeCheck.Path) {
        var first: [SchemaMismatch]?
        let before = (mismatches, seen)
        for shape in shapes {
            (mismatches, seen) = before
            compare(from, shape, at: path)
            guard mismatches.count > before.0.count else { return }
            first = first ?? mismatches
        }
        mismatches = first ?? before.0
    }

    private mutating func compare(_ from: [JSONShape], _ into: [JSONShape], at path: ShapeCheck.Path) {
        if from.count < into.count { note(path, "may have \(from.count) elements only") }
        for (index, pair) in zip(from, into).enumerated() { compare(pair.0, pair.1, at: path.element(index)) }
    }

    private mutating func compare(_ from: ObjectShape, _ into: ObjectShape, at path: ShapeCheck.Path) {
        for member in into.members {
            let path = path.member(member.name)
            guard let sent = from.member(member.name) else {
                if member.isRequired { note(path, "is missing") }
                continue
            }
            if member.isRequired, !sent.isRequired { note(path, "may be missing") }
            compare(sent.shape, member.shape, at: path)
        }
        guard !into.allowsOthers else { return }
        for member in from.members where into.member(member.name) == nil {
            note(path.member(member.name), "is not in the schema")
        }
    }

    private mutating func compare(
        _ from: [ObjectShape.Member], _ into: [ObjectShape.Member], at path: ShapeCheck.Path
    ) {
        for choice in from {
            if let known = into.first(where: { $0.name == choice.name }) {
                compare(choice.shape, known.shape, at: path.member(choice.name))
            } else {
                note(path, "may be \(choice.name), which is not known")
            }
        }
    }
}

extension JSONShape {
    /// Returns why a leaf's values may not fit another shape; nil if all of them do.
    fileprivate func leafMismatch(with other: JSONShape) -> String? {
        switch (self, other) {
        case (.number(let from), .number(let into)) where into.holds(from): return nil
        case (.text(let from), .text(let into)) where into == .string || from == into: return nil
        case (.cases(_, of: let number?), .number(let into)) where into.holds(number): return nil
        case (.cases(_, of: nil), .text(.string)): return nil
        case (.cases(let from, _), .cases(let into, _)):
            let unknown = from.filter { !into.contains($0) }
            guard let first = unknown.first else { return nil }
            return "may be \(first.text), which is not known"
        default: return "\(words) does not decode as \(other.words)"
        }
    }

    /// The shape in the words of an error.
    private var words: String {
        switch self {
        case .any: "anything"
        case .null: "null"
        case .bool: "Bool"
        case .number(let type): type.rawValue
        case .text(let type): type.rawValue
        case .cases(_, let number): number == nil ? "an enum of strings" : "an enum of numbers"
        case .array: "an array"
        case .tuple: "an array of fixed length"
        case .map: "a dictionary"
        case .object: "an object"
        case .choice: "an enum with values"
        case .union(let shapes): shapes.map(\.words).joined(separator: " or ")
        case .reference(let name): name
        }
    }
}

extension JSONShape.NumberType {
    /// Whether every number of the other type is a number of this one, in the usual notations. `JSONDecoder` accepts 0
    /// with an exponent of a thousand as a whole number, although it is no `Double`.
    fileprivate func holds(_ other: Self) -> Bool {
        guard self != other else { return true }
        switch self {
        case .double, .date: return true
        case .float, .decimal: return other.wholeRange != nil
        default:
            guard let own = wholeRange, let range = other.wholeRange else { return false }
            return own.lowerBound <= range.lowerBound && range.upperBound <= own.upperBound
        }
    }

    /// The whole numbers of the type; nil if it has other numbers too. The bounds of 64 bits are exact as doubles or
    /// one step too wide.
    private var wholeRange: ClosedRange<Double>? {
        switch self {
        case .int, .int64: -0x1p63...0x1p63
        case .int8: -0x1p7...0x1p7
        case .int16: -0x1p15...0x1p15
        case .int32: -0x1p31...0x1p31
        case .uint, .uint64: 0...0x1p64
        case .uint8: 0...0x1p8
        case .uint16: 0...0x1p16
        case .uint32: 0...0x1p32
        case .float, .double, .decimal, .date: nil
        }
    }
}

extension JSONShape.KeyType {
    /// Whether every key of the other kind is a key of this one.
    fileprivate func holds(_ other: Self) -> Bool {
        switch (self, other) {
        case (.string, _), (.integer, .integer): true
        case (.cases(let own), .cases(let others)): others.allSatisfy(own.contains)
        default: false
        }
    }
}
