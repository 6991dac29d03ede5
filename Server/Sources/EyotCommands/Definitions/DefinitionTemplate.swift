import EyotContract
import EyotDomain

/// The content of a definition: members of a declaration, and the parameters in them.
package struct DefinitionTemplate: Sendable {
    /// The most parameters of a definition.
    static let parameterLimit = 100
    /// The rule for the values of a parameter.
    struct Parameter: Sendable {
        enum Kind: String, CaseIterable {
            case string, number, integer, boolean, object, array, any

            /// Whether its values can be part of a text.
            var hasText: Bool {
                switch self {
                case .string, .number, .integer, .boolean: true
                case .object, .array, .any: false
                }
            }

            func takes(_ value: JSONValue) -> Bool {
                switch self {
                case .string: value.string != nil
                case .number: if case .number = value { true } else { false }
                case .integer: value.integer != nil
                case .boolean: value.bool != nil
                case .object: value.object != nil
                case .array: value.array != nil
                case .any: true
                }
            }
        }

        var kind: Kind
        var isRequired: Bool
        var standard: JSONValue?
    }

    let parameters: [String: Parameter]
    let declaration: JSONObject

    /// - Throws: ``EyotError`` with the member.
    package init(json: JSONValue) throws(EyotError) {
        do throws(JSONFieldError) {
            var fields = try JSONFields(json)
            let declared = try fields.object("parameters")?.object ?? JSONObject()
            guard declared.members.count <= Self.parameterLimit else {
                throw fields.invalid("parameters", "must have at most \(Self.parameterLimit) members")
            }
            var parameters: [String: Parameter] = [:]
            for member in declared.members {
                let path = "parameters.\(member.name)"
                guard PlaceholderText.isName(member.name) else {
                    throw fields.invalid(path, "must have a name of 1 to 64 letters, digits and _, no digit first")
                }
                parameters[member.name] = try Parameter(json: member.value, at: path)
            }
            self.parameters = parameters
            declaration = try fields.required("declaration", fields.object("declaration")?.object)
            for member in declaration.members
            where DeclarationMember.named(member.name)?.isDefinable != true {
                throw JSONFieldError(path: "declaration.\(member.name)", .unknown)
            }
            try fields.finish()
        } catch {
            throw EyotError(error)
        }
        try check()
    }

    // MARK: Checks

    private func check() throws(EyotError) {
        var used: Set<String> = []
        var plain = JSONObject()
        for member in declaration.members {
            try collect(member.value, at: "declaration.\(member.name)", &used)
            if !Self.hasPlace(member.value) { plain[member.name] = member.value }
        }
        if let idle = parameters.keys.sorted().first(where: { !used.contains($0) }) {
            throw EyotError(
                .fieldInvalid, "parameters.\(idle) is not used in declaration", field: "parameters.\(idle)")
        }
        do throws(EyotError) {
            try DeclarationBody.check(members: .object(plain))
        } catch {
            throw EyotError(error.code, error.detail, field: error.field.map { "declaration.\($0)" })
        }
    }

    /// Whether it contains a place for a parameter. Its value is not known before a call.
    private static func hasPlace(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.contains("{{")
        case .array(let elements): elements.contains(where: hasPlace)
        case .object(let object): object.members.contains { hasPlace($0.value) }
        case .null, .bool, .number: false
        }
    }

    private func collect(_ value: JSONValue, at path: String, _ used: inout Set<String>) throws(EyotError) {
        switch value {
        case .string(let text): try collect(text, at: path, &used)
        case .array(let elements):
            for (index, element) in elements.enumerated() { try collect(element, at: "\(path)[\(index)]", &used) }
        case .object(let object):
            for member in object.members { try collect(member.value, at: "\(path).\(member.name)", &used) }
        case .null, .bool, .number: break
        }
    }

    private func collect(_ text: String, at path: String, _ used: inout Set<String>) throws(EyotError) {
        let parts: PlaceholderText
        do throws(PlaceholderText.Unreadable) {
            parts = try PlaceholderText(text)
        } catch {
            throw EyotError(.fieldInvalid, "\(path): {{ must begin a placeholder such as {{home}}", field: path)
        }
        for case .parameter(let name) in parts.parts {
            guard let parameter = parameters[name] else {
                throw EyotError(
                    .fieldInvalid, "\(path) names {{\(name)}}, which parameters does not define", field: path)
            }
            guard parts.onlyParameter != nil || parameter.kind.hasText else {
                throw EyotError(
                    .fieldInvalid,
                    "\(path): {{\(name)}} is of the kind \(parameter.kind.rawValue), which cannot be part of a text",
                    field: path)
            }
            used.insert(name)
        }
    }
}

extension DefinitionTemplate.Parameter {
    fileprivate init(json: JSONValue, at path: String) throws(JSONFieldError) {
        var fields = try JSONFields(json, at: path)
        let word = try fields.required("kind", fields.string("kind"))
        guard let kind = Kind(rawValue: word) else {
            let words = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.invalid("kind", "must be one of \(words)")
        }
        let standard = fields.value("default")
        if let standard, !kind.takes(standard) {
            throw JSONFieldError(
                path: fields.path(of: "default"), .mistyped(expected: kind.rawValue, found: standard.kind))
        }
        let isRequired = try fields.bool("required") ?? (standard == nil)
        if isRequired, standard != nil { throw fields.invalid("required", "cannot be combined with default") }
        try fields.finish()
        self.init(kind: kind, isRequired: isRequired, standard: standard)
    }
}
