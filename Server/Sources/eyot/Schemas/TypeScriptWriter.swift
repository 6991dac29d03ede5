import EyotContract

/// A writer of types in TypeScript: interfaces and unions.
struct TypeScriptWriter {
    private let types: BackendTypes
    /// TypeScript does not allow `Record` of an alias in the alias's own definition.
    private let recursive: Set<String>

    init(_ types: BackendTypes) { (self.types, recursive) = (types, types.recursiveAliases) }

    /// Names that no type may have: keywords, TypeScript's own types, and names that the written code uses.
    static let reserved: Set<String> = [
        "any", "arguments", "as", "async", "await", "bigint", "boolean", "break", "case", "catch", "class", "const",
        "continue",
        "debugger", "declare", "default", "delete", "do", "else", "enum", "eval", "export", "extends", "false",
        "finally",
        "for", "function", "if", "implements", "import", "in", "infer", "instanceof", "interface", "intrinsic", "is",
        "keyof", "let",
        "module", "namespace", "never", "new", "null", "number", "object", "package", "private", "protected", "public",
        "readonly", "return", "static", "string", "super", "switch", "symbol", "this", "throw", "true", "try", "type",
        "typeof", "undefined", "unique", "unknown", "var", "void", "while", "with", "yield", "Partial", "Record",
    ]

    func text(_ header: [String]) -> String {
        ([header.map { "// \($0)" }] + types.definitions.map(lines)).map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n")
    }

    private func lines(of definition: BackendTypes.Definition) -> [String] {
        let name = definition.name
        var notes = definition.note.map { [$0] } ?? []
        switch definition.body {
        case .object(let members):
            return comment(notes) + ["export interface \(name) {"] + members.flatMap(lines) + ["}"]
        case .choice(let choices):
            let objects = choices.map { "  | { \(key($0.member)): \(text(of: $0.type)) }" }
            return comment(notes + ["Exactly one of these members."]) + ["export type \(name) ="] + objects.dropLast()
                + objects.suffix(1).map { $0 + ";" }
        case .texts(let texts):
            return comment(notes) + alias(name, texts.map { $0.quoted() }.joined(separator: " | "))
        case .numbers(let numbers, _):
            return comment(notes) + alias(name, numbers.map(String.init).joined(separator: " | "))
        case .alias(let type):
            notes += self.notes(type)
            return comment(notes) + alias(name, text(of: type, inRecursion: recursive.contains(name)))
        }
    }

    private func alias(_ name: String, _ type: String) -> [String] { ["export type \(name) = \(type);"] }

    private func lines(of member: BackendTypes.Member) -> [String] {
        let comment = comment(notes(member.type)).map { "  \($0)" }
        return comment + ["  \(key(member.name))\(member.isRequired ? "" : "?"): \(text(of: member.type));"]
    }

    private func notes(_ type: TypeUse) -> [String] { type.notes { _ in false } }

    private func comment(_ notes: [String]) -> [String] {
        notes.isEmpty ? [] : ["/** \(notes.joined(separator: "; ")) */"]
    }

    /// Returns a member's name, quoted if needed. Keywords need no quotes.
    private func key(_ name: String) -> String { Identifier.isPlain(name) ? name : name.quoted() }

    private func text(of type: TypeUse, inRecursion: Bool = false) -> String {
        func text(_ type: TypeUse) -> String { self.text(of: type, inRecursion: inRecursion) }
        switch type {
        case .any: return "unknown"
        case .null: return "null"
        case .bool: return "boolean"
        case .number: return "number"
        case .text: return "string"
        case .list(let element):
            let element = text(element)
            return element.contains("|") ? "(\(element))[]" : "\(element)[]"
        case .tuple(let elements): return "[\(elements.map(text).joined(separator: ", "))]"
        case .map(let values, .named(let keys)):
            return inRecursion ? "{ [key in \(keys)]?: \(text(values)) }" : "Partial<Record<\(keys), \(text(values))>>"
        case .map(let values, let keys):
            let key = keys == .integer ? "number" : "string"
            return inRecursion ? "{ [key: \(key)]: \(text(values)) }" : "Record<\(key), \(text(values))>"
        case .union:
            let all = type.alternatives.map(text).withoutRepeats + (type.isOptional ? ["null"] : [])
            return all.isEmpty ? "never" : all.joined(separator: " | ")
        case .named(let name): return name
        }
    }
}
