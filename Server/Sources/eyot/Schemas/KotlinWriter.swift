import EyotContract

/// A writer of types in Kotlin, for kotlinx.serialization.
///
/// A type that needs custom code there becomes a `JsonElement`, with a comment that describes its values.
struct KotlinWriter {
    private let types: BackendTypes
    /// Kotlin does not allow an alias that contains itself.
    private let recursive: Set<String>
    private let aliases: [String: TypeUse]

    init(_ types: BackendTypes) {
        (self.types, recursive, aliases) = (types, types.recursiveAliases, types.aliases)
    }

    private static let keywords: Set<String> = [
        "as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is", "null",
        "object", "package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof", "val", "var",
        "when", "while",
    ]
    /// Members that each enum already has.
    private static let ofEnums: Set<String> = ["declaringClass", "entries", "name", "ordinal", "values"]

    /// Names that no type may have: keywords, and names that the written code uses.
    static let reserved: Set<String> = keywords.union([
        "Boolean", "Byte", "Double", "Float", "Int", "JsonElement", "List", "Long", "Map", "SerialName", "Serializable",
        "Short", "String", "UByte", "UInt", "ULong", "UShort",
    ])

    func text(_ header: [String]) -> String {
        let parts = types.definitions.map(lines)
        let words = Identifier.words(in: parts)
        let imports = ["SerialName", "Serializable", "json.JsonElement"].filter {
            words.contains($0.replacing("json.", with: ""))
        }
        let head = header.map { "// \($0)" } + (imports.isEmpty ? [] : [""])
        return ([head + imports.map { "import kotlinx.serialization.\($0)" }] + parts)
            .map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private func lines(of definition: BackendTypes.Definition) -> [String] {
        let name = definition.name
        let notes = definition.note.map { [$0] } ?? []
        switch definition.body {
        case .object(let members):
            return comment(notes) + ["@Serializable", "data class \(name)("] + properties(members) + [")"]
        case .choice(let choices):
            let all = choices.map { "\($0.member.quotedInComment): \(text(of: $0.type))" }.joined(separator: ", ")
            return comment(notes + ["An object with exactly one of these members: \(all)"])
                + ["typealias \(name) = JsonElement"]
        case .texts(let texts):
            return comment(notes) + ["@Serializable", "enum class \(name) {"] + entries(texts) + ["}"]
        case .numbers(let numbers, let type):
            let all = numbers.map(String.init).joined(separator: ", ")
            return comment(notes + ["One of \(all)"]) + ["typealias \(name) = \(text(of: .number(type)))"]
        case .alias(let type) where recursive.contains(name):
            return comment(notes + ["JsonElement: \(text(of: type))"]) + ["typealias \(name) = JsonElement"]
        case .alias(let type):
            return comment(notes + self.notes(type)) + ["typealias \(name) = \(text(of: type))"]
        }
    }

    // MARK: Members and cases

    private func properties(_ members: [BackendTypes.Member]) -> [String] {
        let names = Self.names(of: members.map(\.name), besides: [])
        return zip(members, names).flatMap { member, name in
            var (type, notes) = (text(of: member.type), self.notes(member.type))
            if !member.isRequired {
                if !types.isOptional(member.type) { notes.append("may be left out, and may not be null") }
                type = orNull(type, member.type) + " = null"
            }
            let serialName = name == member.name ? "" : "@SerialName(\(Self.literal(member.name))) "
            return (comment(notes) + ["\(serialName)val \(name): \(type),"]).map { "    \($0)" }
        }
    }

    private func entries(_ texts: [String]) -> [String] {
        zip(texts, Self.names(of: texts, besides: Self.ofEnums)).map { "    @SerialName(\(Self.literal($0))) \($1)," }
    }

    /// Returns names for properties or cases. Two names that differ only in capitals would share one getter in Java.
    private static func names(of texts: [String], besides others: Set<String>) -> [String] {
        var taken: Set<String> = []
        // A name that is already valid stays as it is.
        let plain = Set(texts.filter { Identifier.isPlain($0) }.map { $0.lowercased() })
        return texts.map { text in
            var name = text
            if !Identifier.isPlain(text) {
                name = Identifier.letters(of: text)
                if !Identifier.isPlain(name) { name = "_" + name + (name.contains { $0 != "_" } ? "" : "0") }
            }
            if keywords.contains(name) || others.contains(name) || name == "Companion" { name += "_" }
            let free = Identifier.free(name) {
                taken.contains($0.lowercased()) || ($0 != text && plain.contains($0.lowercased()))
            }
            taken.insert(free.lowercased())
            return free
        }
    }

    private static func literal(_ text: String) -> String { text.quoted(escaping: ["$"]) }

    // MARK: Types

    private func comment(_ notes: [String]) -> [String] {
        notes.isEmpty ? [] : ["/** \(notes.joined(separator: "; ")) */"]
    }

    private func notes(_ type: TypeUse) -> [String] { type.notes { _ in true } + elements(in: type).withoutRepeats }

    /// Returns comments that describe each `JsonElement` in a type.
    private func elements(in type: TypeUse) -> [String] {
        switch type {
        case .null: return ["JsonElement: null"]
        case .list(let element), .map(let element, _): return elements(in: element)
        case .tuple(let elements):
            return ["JsonElement: an array of \(elements.map(text).joined(separator: ", "))"]
                + elements.flatMap(self.elements)
        case .union:
            let all = type.alternatives
            if all.isEmpty { return [type.isOptional ? "JsonElement: null" : "JsonElement: no value fits"] }
            let texts = all.map(text).withoutRepeats
            return (texts.count == 1 ? [] : ["JsonElement: \(texts.joined(separator: " or "))"])
                + all.flatMap(elements)
        case .any, .bool, .number, .text, .named: return []
        }
    }

    private func text(of type: TypeUse) -> String {
        switch type {
        case .any, .tuple: return "JsonElement"
        case .null: return "JsonElement?"
        case .bool: return "Boolean"
        case .number(let type): return text(of: type)
        case .text: return "String"
        case .list(let element): return "List<\(text(of: element))>"
        case .map(let values, let keys):
            let key =
                switch keys {
                case .string: "String"
                case .integer: "Long"
                case .named(let name): name
                }
            return "Map<\(key), \(text(of: values))>"
        case .union:
            let texts = type.alternatives.map { text(of: $0) }.withoutRepeats
            let name = texts.count == 1 ? texts[0] : "JsonElement"
            return type.isOptional ? orNull(name, type) : name
        case .named(let name): return name
        }
    }

    /// Returns a type's text with a question mark, unless it is an alias of a type that has one.
    private func orNull(_ text: String, _ type: TypeUse) -> String {
        text.hasSuffix("?") || isOtherWordForOptional(type) ? text : text + "?"
    }

    private func isOtherWordForOptional(_ type: TypeUse) -> Bool {
        guard case .named(let name)? = type.alternatives.first, type.alternatives.count == 1,
            !recursive.contains(name), let alias = aliases[name]
        else { return false }
        return text(of: alias).hasSuffix("?") || isOtherWordForOptional(alias)
    }

    private func text(of type: JSONShape.NumberType) -> String {
        switch type {
        case .int, .int64: "Long"
        case .int8: "Byte"
        case .int16: "Short"
        case .int32: "Int"
        case .uint, .uint64: "ULong"
        case .uint8: "UByte"
        case .uint16: "UShort"
        case .uint32: "UInt"
        case .float: "Float"
        case .double, .decimal, .date: "Double"
        }
    }
}
