import EyotContract

/// A record of the requests of one type to its decoder, over all values from which it was decoded.
final class ProbedNode {
    private var members: [ObjectShape.Member] = []
    /// Members for which the type asks whether they are present.
    private var omittable: Set<String> = []
    private var nested: [String: ProbedNode] = [:]
    /// Elements by index.
    private var elements: [Int: JSONShape] = [:]
    private var nestedElements: [Int: ProbedNode] = [:]
    private var single: JSONShape?
    private(set) var form: Form?
    /// Whether the type asked for the names of members. An enum with associated values does.
    var asksForNames = false
    /// Whether the type asked if there are more elements.
    var asksForEnd = false
    private var isNullable = false

    enum Form: Equatable {
        case single, keyed, unkeyed
    }

    func begin(_ form: Form) { if self.form == nil { self.form = form } }

    func note(single shape: JSONShape) { single = single ?? shape }

    func noteNull() { isNullable = true }

    func noteOmittable(_ name: String) { omittable.insert(name) }

    func note(member name: String, _ shape: JSONShape, isRequired: Bool) {
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].isRequired = members[index].isRequired && isRequired
            if !isRequired { members[index].shape = .optional(members[index].shape) }
        } else {
            members.append(.init(name, shape, isRequired: isRequired && !omittable.contains(name)))
        }
    }

    func note(element shape: JSONShape, at index: Int) { elements[index] = elements[index] ?? shape }

    /// Returns the record of a nested container of this element.
    func nestedElement(_ index: Int) -> ProbedNode {
        let node = nestedElements[index] ?? ProbedNode()
        nestedElements[index] = node
        return node
    }

    /// Returns the record of a nested container of this member.
    func nested(_ name: String) -> ProbedNode {
        let node = nested[name] ?? ProbedNode()
        nested[name] = node
        if !members.contains(where: { $0.name == name }) { members.append(.init(name, .any)) }
        return node
    }

    func shape(of type: String) throws -> JSONShape {
        let shape: JSONShape
        switch form {
        case .single: shape = single ?? .null
        case .keyed:
            let members = try members.map { member in
                guard let node = nested[member.name] else { return member }
                return .init(member.name, try node.shape(of: type), isRequired: member.isRequired)
            }
            shape = asksForNames ? .choice(members) : .object(ObjectShape(members))
        case .unkeyed:
            let found = try elements.merging(nestedElements.mapValues { try $0.shape(of: type) }) { first, _ in first }
            shape =
                asksForEnd
                ? .array(found[0] ?? .any) : .tuple(found.sorted { $0.key < $1.key }.map(\.value))
        case nil: shape = .any
        }
        return isNullable ? .optional(shape) : shape
    }

    /// Advice for a type that does not decode from a sample; nil if there is none.
    var advice: String? {
        if asksForNames { return "it is an enum whose cases carry values: give an example of each case" }
        guard form == .single else { return nil }
        return
            "it decodes from certain values only: make it CaseIterable, give an example of each case, or say its shape "
            + "(JSONShapeDescribing)"
    }
}
