extension JSONValue {
    /// The value as compact UTF-8 text: no white space, members in order, number literals as they were read.
    public var utf8: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// The value as compact text.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    /// The value as text for people: one member or element on each line, with two spaces for each level. A short value
    /// stays on one line.
    public var indentedText: String { indentedText(level: 0) }

    private func indentedText(level: Int) -> String {
        let compact = text
        let lines: [String]
        switch self {
        case .array(let elements) where !fits(compact, level):
            lines = elements.map { $0.indentedText(level: level + 1) }
        case .object(let object) where !fits(compact, level):
            lines = object.members.map { member in
                "\(JSONValue.string(member.name).text): \(member.value.indentedText(level: level + 1))"
            }
        default: return compact
        }
        let indent = String(repeating: "  ", count: level)
        let brackets = array == nil ? ("{", "}") : ("[", "]")
        return brackets.0 + "\n" + lines.map { "\(indent)  \($0)" }.joined(separator: ",\n")
            + "\n\(indent)\(brackets.1)"
    }

    /// Whether a value stays on one line: it is short, and its parts are empty or have no parts.
    private func fits(_ compact: String, _ level: Int) -> Bool {
        let parts = array ?? object?.members.map(\.value) ?? []
        return compact.utf8.count + 2 * level <= 80
            && parts.allSatisfy { $0.array?.isEmpty ?? $0.object?.members.isEmpty ?? true }
    }

    /// Appends the compact text.
    public func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let literal): bytes += literal.utf8
        case .string(let string): Self.write(string: string, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(string: member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a string with its quotes. Escapes only what JSON requires.
    private static func write(string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += #"\""#.utf8
            case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
            case 0x0A: bytes += #"\n"#.utf8
            case 0x0D: bytes += #"\r"#.utf8
            case 0x09: bytes += #"\t"#.utf8
            case 0..<0x20:
                bytes += #"\u00"#.utf8
                bytes += HexBytes.digits(of: byte)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
