import EyotContract
import EyotDomain

/// The body of a declaration from a definition and a call.
package struct FillDefinition {
    /// The most bytes that the values of parameters may take.
    static let byteLimit = 64 * 1_024

    /// The members of a call's body that refer to its definition.
    private static let (name, parameters) = ("definition", "parameters")

    /// The definition that a body names, or nil if it names none.
    ///
    /// - Throws: ``EyotError`` if the name is no string, or if there are parameters without a definition.
    package static func name(in body: JSONValue) throws(EyotError) -> String? {
        guard let value = body.object?[name], value != .null else {
            guard let idle = body.object?[parameters], idle != .null else { return nil }
            throw EyotError(.fieldInvalid, "parameters needs definition, which is missing", field: parameters)
        }
        guard let text = value.string else {
            throw EyotError(.fieldMistyped, "definition must be a string, not \(value.kind)", field: name)
        }
        return text
    }

    let template: DefinitionTemplate
    let verb: DeclarationRequest.Verb

    package init(_ template: DefinitionTemplate, for verb: DeclarationRequest.Verb) {
        (self.template, self.verb) = (template, verb)
    }

    /// Fills the definition for a call.
    ///
    /// - Parameter body: The body of the call. Its own members take precedence.
    /// - Throws: ``EyotError`` with the parameter.
    package func callAsFunction(_ body: JSONValue) throws(EyotError) -> JSONValue {
        let own = (body.object?.members ?? []).filter { $0.value != .null }
        let given = try given(in: body)
        var filling = Filling(template: template, values: try values(of: given))
        var filled = JSONObject()
        for member in template.declaration.members where isWanted(member.name, beside: own) {
            filled[member.name] = try filling.filled(member.value)
        }
        if filled["alert"] == nil, !own.contains(where: { $0.name == "alert" }) { filled["alertLifetime"] = nil }
        for member in own where ![Self.name, Self.parameters].contains(member.name) {
            filled[member.name] = member.value
        }
        do throws(JSONSyntaxError) {
            // Nested values may be deeper than a body may be.
            return try JSONValue(parsing: JSONValue.object(filled).utf8)
        } catch {
            throw EyotError(.fieldInvalid, "with its parameters the definition is \(error)", field: Self.parameters)
        }
    }

    /// Whether a member of the definition applies to this call, and the call does not override it.
    private func isWanted(_ member: String, beside own: [JSONObject.Member]) -> Bool {
        DeclarationMember.named(member)?.isTaken(by: verb) == true && !own.contains { $0.name == member }
            && (member != "staleAfter" || !own.contains { $0.name == "staleDate" })
    }

    private func given(in body: JSONValue) throws(EyotError) -> [JSONObject.Member] {
        guard let value = body.object?[Self.parameters], value != .null else { return [] }
        guard let object = value.object else {
            throw EyotError(.fieldMistyped, "parameters must be an object, not \(value.kind)", field: Self.parameters)
        }
        return object.members.filter { $0.value != .null }
    }

    private func values(of given: [JSONObject.Member]) throws(EyotError) -> [String: JSONValue] {
        var values = template.parameters.compactMapValues(\.standard)
        for member in given {
            let path = "\(Self.parameters).\(member.name)"
            guard let parameter = template.parameters[member.name] else {
                throw EyotError(.fieldUnknown, "\(path) is not a parameter of the definition", field: path)
            }
            guard parameter.kind.takes(member.value) else {
                throw EyotError(
                    .fieldMistyped, "\(path) must be of the kind \(parameter.kind.rawValue), not \(member.value.kind)",
                    field: path)
            }
            values[member.name] = member.value
        }
        return values
    }
}

/// The filling of places with values. It counts the bytes of the values.
private struct Filling {
    let template: DefinitionTemplate
    let values: [String: JSONValue]
    var bytes = 0

    init(template: DefinitionTemplate, values: [String: JSONValue]) {
        (self.template, self.values) = (template, values)
    }

    /// Returns the filled value, or nil if a place has no value. Its member is then left out.
    mutating func filled(_ value: JSONValue) throws(EyotError) -> JSONValue? {
        switch value {
        case .string(let text): return try filled(text)
        case .array(let elements):
            var filled: [JSONValue] = []
            for element in elements { if let element = try self.filled(element) { filled.append(element) } }
            return .array(filled)
        case .object(let object):
            var filled = JSONObject()
            for member in object.members { filled[member.name] = try self.filled(member.value) }
            return .object(filled)
        case .null, .bool, .number: return value
        }
    }

    private mutating func filled(_ text: String) throws(EyotError) -> JSONValue? {
        // The text was checked when the definition was stored.
        guard let parts = try? PlaceholderText(text) else { return .string(text) }
        if let name = parts.onlyParameter { return try value(of: name) }
        var filled = ""
        for part in parts.parts {
            switch part {
            case .text(let text): filled += text
            case .parameter(let name): filled += try value(of: name).map { $0.string ?? $0.text } ?? ""
            }
        }
        return .string(filled)
    }

    private mutating func value(of name: String) throws(EyotError) -> JSONValue? {
        let path = "parameters.\(name)"
        guard let value = values[name] else {
            guard template.parameters[name]?.isRequired == false else {
                throw EyotError(.fieldMissing, "\(path) is missing: the definition requires it", field: path)
            }
            return nil
        }
        bytes += value.utf8.count
        guard bytes <= FillDefinition.byteLimit else {
            throw EyotError(
                .payloadTooLarge, "the parameters add more than \(FillDefinition.byteLimit) bytes", field: path)
        }
        return value
    }
}
