import EyotContract

/// A writer of types in Python 3.11: `TypedDict`, `Literal` and aliases.
///
/// Annotations in a `TypedDict` are evaluated late. Aliases are values, so they come last, each after the aliases that
/// it uses. A name in a recursive type that comes later nevertheless is quoted.
struct PythonWriter {
    private let types: BackendTypes
    private let aliases: [String: TypeUse]

    init(_ types: BackendTypes) { (self.types, aliases) = (types, types.aliases) }

    private static let keywords: Set<String> = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
        "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ]
    private static let imports = ["Any", "Literal", "Never", "NotRequired", "TypeAlias", "TypedDict"]

    /// Names that no type may have: keywords, and names that the written code uses.
    static let reserved: Set<String> =
        keywords.union(imports).union(["annotations", "bool", "dict", "float", "int", "list", "str", "tuple"])

    func text(_ header: [String]) -> String {
        let parts = dictionaries + literals + orderedAliases.map(lines)
        let words = Identifier.words(in: parts)
        let imports = Self.imports.filter(words.contains)
        let head = header.map { "# \($0)" } + ["from __future__ import annotations", ""]
        let names = imports.isEmpty ? [] : ["from typing import \(imports.joined(separator: ", "))"]
        return ([head + names] + parts).map { $0.joined(separator: "\n") }.joined(separator: "\n\n\n")
    }

    // MARK: TypedDict

    private var dictionaries: [[String]] {
        types.definitions.flatMap { definition in
            switch definition.body {
            case .object(let members): [comment(definition.note) + dictionary(definition.name, members)]
            case .choice(let choices):
                choices.map { choice in
                    let member = BackendTypes.Member(name: choice.member, type: choice.type, isRequired: true)
                    return dictionary(choice.objectName, [member])
                }
            case .texts, .numbers, .alias: [[String]]()
            }
        }
    }

    private func dictionary(_ name: String, _ members: [BackendTypes.Member]) -> [String] {
        let isClass = members.allSatisfy { isAttribute($0.name) }
        let lines = members.flatMap { member in
            let (type, notes) = (text(of: member.type), self.notes(member.type).map { "    " + $0 })
            guard isClass else {
                let quoted = "\"\(type)\""
                let value = member.isRequired ? quoted : "NotRequired[\(quoted)]"
                return notes + ["    \(member.name.quoted(.scalars)): \(value),"]
            }
            return notes + ["    \(member.name): \(member.isRequired ? type : "NotRequired[\(type)]")"]
        }
        let definition = isClass ? "class \(name)(TypedDict):" : "\(name) = TypedDict(\"\(name)\", {"
        return [definition] + lines + (isClass ? [] : ["})"])
    }

    /// Whether a name may be an attribute of a class. Python would change a name with two leading underscores, and a
    /// type's name would hide the type.
    private func isAttribute(_ name: String) -> Bool {
        Identifier.isPlain(name) && !name.hasPrefix("__") && !Self.reserved.contains(name)
            && !types.definitions.contains { $0.name == name }
    }

    // MARK: Literals and aliases

    private var literals: [[String]] {
        types.definitions.compactMap { definition in
            let values: [String]
            switch definition.body {
            case .texts(let texts): values = texts.map { $0.quoted(.scalars) }
            case .numbers(let numbers, _): values = numbers.map(String.init)
            case .object, .choice, .alias: return nil
            }
            return comment(definition.note)
                + ["\(definition.name): TypeAlias = Literal[\(values.joined(separator: ", "))]"]
        }
    }

    /// The choices, after the objects that they use, and then the aliases, each after the aliases that it consists of.
    private var orderedAliases: [BackendTypes.Definition] {
        let choices = types.definitions.filter { if case .choice = $0.body { true } else { false } }
        let others = types.definitions.filter { aliases[$0.name] != nil }
        let byName = Dictionary(uniqueKeysWithValues: others.map { ($0.name, $0) })
        var (ordered, seen): ([BackendTypes.Definition], Set<String>) = ([], [])
        func append(_ definition: BackendTypes.Definition) {
            guard seen.insert(definition.name).inserted else { return }
            for name in aliases[definition.name]?.directNames ?? [] { byName[name].map(append) }
            ordered.append(definition)
        }
        others.forEach(append)
        return choices + ordered
    }

    private func lines(of definition: BackendTypes.Definition) -> [String] {
        let name = definition.name
        switch definition.body {
        case .choice(let choices):
            let objects = choices.map(\.objectName).joined(separator: " | ")
            return comment(definition.note) + ["\(name): TypeAlias = \(objects)"]
        case .alias(let type):
            let later = orderedAliases.map(\.name).drop { $0 != name }
            return comment(definition.note) + notes(type)
                + ["\(name): TypeAlias = \(text(of: type, later: Set(later)))"]
        case .object, .texts, .numbers: return []
        }
    }

    // MARK: Types

    private func comment(_ note: String?) -> [String] { note.map { ["# \($0)"] } ?? [] }

    private func notes(_ type: TypeUse) -> [String] {
        let notes = type.notes { [.int, .int64].contains($0) }
        return notes.isEmpty ? [] : ["# \(notes.joined(separator: "; "))"]
    }

    /// - Parameter later: names that do not exist yet when the type is evaluated.
    private func text(of type: TypeUse, later: Set<String> = []) -> String {
        func text(_ type: TypeUse) -> String { self.text(of: type, later: later) }
        switch type {
        case .any: return "Any"
        case .null: return "None"
        case .bool: return "bool"
        case .number(.float), .number(.double), .number(.decimal), .number(.date): return "float"
        case .number: return "int"
        case .text: return "str"
        case .list(let element): return "list[\(text(element))]"
        case .tuple(let elements):
            return "tuple[\(elements.isEmpty ? "()" : elements.map(text).joined(separator: ", "))]"
        case .map(let values, .named(let keys)): return "dict[\(keys), \(text(values))]"
        case .map(let values, _): return "dict[str, \(text(values))]"
        case .union:
            // A quoted name and a type cannot be joined with `|`, so the whole union is quoted.
            let isQuoted = !later.isDisjoint(with: type.directNames)
            let all = type.alternatives.map { self.text(of: $0, later: isQuoted ? [] : later) }
            let none = type.isOptional ? ["None"] : []
            let union = (all + none).withoutRepeats
            let words = union.isEmpty ? "Never" : union.joined(separator: " | ")
            return isQuoted ? "\"\(words)\"" : words
        case .named(let name): return later.contains(name) ? "\"\(name)\"" : name
        }
    }
}
