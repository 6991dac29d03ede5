/// The error of a text that is not valid JSON, with the byte offset at which the parser noticed it.
public enum JSONSyntaxError: Error, Sendable, Equatable {
    case unexpectedEnd
    case unexpectedByte(offset: Int)
    case invalidNumber(offset: Int)
    case invalidString(offset: Int)
    case invalidUTF8(offset: Int)
    /// An object has the same name twice. Parsers disagree about which one counts, so neither is accepted.
    case duplicateMember(String, offset: Int)
    case tooDeep(limit: Int)
    case trailingBytes(offset: Int)
}

extension JSONSyntaxError: CustomStringConvertible {
    /// A sentence with the error and its byte offset.
    public var description: String {
        switch self {
        case .unexpectedEnd: "the text ends in the middle of a value"
        case .unexpectedByte(let offset): "unexpected character at byte \(offset)"
        case .invalidNumber(let offset): "not a JSON number at byte \(offset)"
        case .invalidString(let offset): "not a JSON string at byte \(offset)"
        case .invalidUTF8(let offset): "not UTF-8 at byte \(offset)"
        case .duplicateMember(let name, let offset): "member \(name) comes twice, again at byte \(offset)"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .trailingBytes(let offset): "more text after the value, from byte \(offset)"
        }
    }
}

extension JSONValue {
    /// The deepest nesting that is accepted. Apple's payloads are four levels deep; `JSONDecoder` stops at 512.
    public static let defaultDepthLimit = 64

    /// Parses one JSON text (RFC 8259), strictly: no comments, no trailing commas, no duplicate names, valid UTF-8.
    ///
    /// - Throws: ``JSONSyntaxError``.
    public init(parsing bytes: some Sequence<UInt8>, depthLimit: Int = defaultDepthLimit) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes: ContiguousArray(bytes), depthLimit: depthLimit)
        self = try parser.parseDocument()
    }

    /// Parses one JSON text.
    public init(parsing text: String, depthLimit: Int = defaultDepthLimit) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8, depthLimit: depthLimit)
    }
}

/// A recursive-descent parser over bytes. The depth limit bounds its recursion.
struct JSONParser {
    let bytes: ContiguousArray<UInt8>
    let depthLimit: Int
    private var position = 0

    init(bytes: ContiguousArray<UInt8>, depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    mutating func parseDocument() throws(JSONSyntaxError) -> JSONValue {
        skipWhiteSpace()
        let value = try parseValue(depth: 0)
        skipWhiteSpace()
        guard position == bytes.count else { throw .trailingBytes(offset: position) }
        return value
    }

    private mutating func parseValue(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try parseObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try parseArray(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parse("true", as: .bool(true))
        case UInt8(ascii: "f"): return try parse("false", as: .bool(false))
        case UInt8(ascii: "n"): return try parse("null", as: .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
        default: throw .unexpectedByte(offset: position)
        }
    }

    private mutating func parseObject(depth: Int) throws(JSONSyntaxError) -> JSONObject {
        guard depth <= depthLimit else { throw .tooDeep(limit: depthLimit) }
        position += 1
        var members: [JSONObject.Member] = []
        var names: Set<String> = []
        skipWhiteSpace()
        if try take("}") { return JSONObject(unique: members) }
        while true {
            skipWhiteSpace()
            guard try peek() == UInt8(ascii: "\"") else { throw .unexpectedByte(offset: position) }
            let start = position
            let name = try parseString()
            guard names.insert(name).inserted else { throw .duplicateMember(name, offset: start) }
            skipWhiteSpace()
            guard try take(":") else { throw .unexpectedByte(offset: position) }
            skipWhiteSpace()
            members.append(.init(name: name, value: try parseValue(depth: depth)))
            skipWhiteSpace()
            if try take("}") { return JSONObject(unique: members) }
            guard try take(",") else { throw .unexpectedByte(offset: position) }
        }
    }

    private mutating func parseArray(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
        guard depth <= depthLimit else { throw .tooDeep(limit: depthLimit) }
        position += 1
        var elements: [JSONValue] = []
        skipWhiteSpace()
        if try take("]") { return elements }
        while true {
            skipWhiteSpace()
            elements.append(try parseValue(depth: depth))
            skipWhiteSpace()
            if try take("]") { return elements }
            guard try take(",") else { throw .unexpectedByte(offset: position) }
        }
    }

    private mutating func parse(_ word: StaticString, as value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        for expected in "\(word)".utf8 {
            guard try peek() == expected else { throw .unexpectedByte(offset: position) }
            position += 1
        }
        return value
    }

    private mutating func parseNumber() throws(JSONSyntaxError) -> String {
        let start = position
        _ = accept("-")
        if !accept("0") {
            guard takeDigits() else { throw .invalidNumber(offset: start) }
        }
        if accept(".") {
            guard takeDigits() else { throw .invalidNumber(offset: start) }
        }
        if accept("e") || accept("E") {
            if !accept("+") { _ = accept("-") }
            guard takeDigits() else { throw .invalidNumber(offset: start) }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    // MARK: Bytes

    private func peek() throws(JSONSyntaxError) -> UInt8 {
        guard position < bytes.count else { throw .unexpectedEnd }
        return bytes[position]
    }

    private mutating func take(_ scalar: Unicode.Scalar) throws(JSONSyntaxError) -> Bool {
        guard try peek() == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    /// Consumes a byte if it is next. The end of the text is no error, because a number may stand last.
    private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private mutating func takeDigits() -> Bool {
        let start = position
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        while position < bytes.count, digits.contains(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }
}

// MARK: - Strings

extension JSONParser {
    fileprivate mutating func parseString() throws(JSONSyntaxError) -> String {
        let start = position
        position += 1
        var content: [UInt8] = []
        while true {
            guard position < bytes.count else { throw .unexpectedEnd }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                // Decoding repairs bytes that are not UTF-8, so a text that differs was invalid. The validating
                // initialiser needs iOS 18.
                let string = String(decoding: content, as: UTF8.self)
                guard string.utf8.elementsEqual(content) else { throw .invalidUTF8(offset: start) }
                return string
            case UInt8(ascii: "\\"):
                try parseEscape(into: &content)
            case 0..<0x20:
                throw .invalidString(offset: position)
            default:
                content.append(byte)
                position += 1
            }
        }
    }

    private mutating func parseEscape(into content: inout [UInt8]) throws(JSONSyntaxError) {
        let start = position
        guard position + 1 < bytes.count else { throw .unexpectedEnd }
        let kind = bytes[position + 1]
        position += 2
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(kind)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content += try parseScalar(start: start)
        default: throw .invalidString(offset: start)
        }
    }

    /// Reads one `\uXXXX`, or two that form a surrogate pair. A lone surrogate is not text.
    private mutating func parseScalar(start: Int) throws(JSONSyntaxError) -> [UInt8] {
        let unit = try parseHexUnit(start: start)
        var code = UInt32(unit)
        if (0xD800..<0xDC00).contains(unit) {
            guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            else { throw .invalidString(offset: start) }
            position += 2
            let low = try parseHexUnit(start: start)
            guard (0xDC00..<0xE000).contains(low) else { throw .invalidString(offset: start) }
            code = 0x10000 + ((UInt32(unit) - 0xD800) << 10) + (UInt32(low) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw .invalidString(offset: start) }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func parseHexUnit(start: Int) throws(JSONSyntaxError) -> UInt16 {
        guard position + 4 <= bytes.count else { throw .unexpectedEnd }
        var unit: UInt16 = 0
        for byte in bytes[position..<position + 4] {
            guard let nibble = HexBytes.nibble(of: byte) else { throw .invalidString(offset: start) }
            unit = unit << 4 | UInt16(nibble)
        }
        position += 4
        return unit
    }
}
