import EyotContract
import EyotDomain

/// What is wrong with the fields of a form, by their names.
struct FieldFaults: Error, Equatable {
    var byField: [String: String] = [:]

    var isEmpty: Bool { byField.isEmpty }
}

extension SchemaForm {
    /// Reads the object that a member has typed. Members of the former object that have no field stay.
    ///
    /// - Throws: ``FieldFaults``.
    func read(_ fields: FormFields, over former: JSONValue?) throws -> JSONValue {
        guard let leaves else { return try Self.object(fields[root] ?? "{}", root) }
        var faults = FieldFaults()
        var object = JSONObject()
        for leaf in leaves {
            do {
                let typed = fields[name(of: leaf)]
                guard let value = try value(of: leaf, typed) else { continue }
                // Attributes stay as they are for the whole life of a card.
                if root == "attributes", typed == nil, value == "" {
                    throw FieldFaults(byField: [name(of: leaf): "is needed"])
                }
                object.set(value, at: leaf.path[...])
            } catch let fault as FieldFaults {
                faults.byField.merge(fault.byField) { first, _ in first }
            }
        }
        guard faults.isEmpty else { throw faults }
        let known = Set(leaves.compactMap(\.path.first))
        for member in former?.object?.members ?? [] where !known.contains(member.name) {
            object[member.name] = member.value
        }
        if let mismatch = mismatch(of: .object(object)) { throw mismatch }
        return .object(object)
    }

    private static func object(_ text: String, _ name: String) throws -> JSONValue {
        let value = try json(text, name)
        guard value.object != nil else { throw FieldFaults(byField: [name: "must be an object: { … }"]) }
        return value
    }

    private static func json(_ text: String, _ name: String) throws -> JSONValue {
        do {
            return try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw FieldFaults(byField: [name: "is not valid JSON"])
        }
    }

    /// The value of a field; nil if the member is left out.
    private func value(of leaf: Leaf, _ typed: String?) throws -> JSONValue? {
        let name = name(of: leaf)
        guard let typed else {
            if leaf.isOptional { return leaf.isRequired ? .null : nil }
            if leaf.kind == .text { return .string("") }
            throw FieldFaults(byField: [name: "is needed"])
        }
        switch leaf.kind {
        case .flag:
            guard let flag = ["true": true, "false": false][typed] else {
                throw FieldFaults(byField: [name: "must be yes or no"])
            }
            return .bool(flag)
        case .number(let type):
            let value = try? JSONValue(parsing: Array(typed.utf8))
            guard let value, case .number = value else {
                throw FieldFaults(byField: [name: "must be a number: \(type.example)"])
            }
            return value
        case .text: return .string(typed.replacing("\r\n", with: "\n"))
        case .words(let words):
            guard let value = try? JSONValue(parsing: Array(typed.utf8)), words.contains(value) else {
                throw FieldFaults(byField: [name: "must be one of the values"])
            }
            return value
        case .json: return try Self.json(typed, name)
        }
    }
}

extension JSONShape.NumberType {
    /// What a number of the type looks like.
    var example: String {
        switch self {
        case .float, .double, .decimal: "2.5"
        case .date: "692222400, seconds since 2001"
        default: "2"
        }
    }
}

extension JSONObject {
    /// Sets a member of a member, and makes the objects between.
    fileprivate mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let first = path.first else { return }
        guard path.count > 1 else {
            self[first] = value
            return
        }
        var inner = self[first]?.object ?? JSONObject()
        inner.set(value, at: path.dropFirst())
        self[first] = .object(inner)
    }
}
