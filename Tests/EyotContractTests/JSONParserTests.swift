import EyotContract
import Foundation
import PhoneSimulator
import Testing

@Suite("The JSON parser")
struct JSONParserTests {
    @Test(
        "refuses what RFC 8259 refuses, and says where",
        arguments: [
            ("", .unexpectedEnd), ("  ", .unexpectedEnd), ("[", .unexpectedEnd), ("{", .unexpectedEnd),
            ("[1", .unexpectedEnd), (#"{"a""#, .unexpectedEnd), (#"{"a":"#, .unexpectedEnd), ("tru", .unexpectedEnd),
            (#""abc"#, .unexpectedEnd), (#""\"#, .unexpectedEnd), ("nul ", .unexpectedByte(offset: 3)),
            ("[1,]", .unexpectedByte(offset: 3)), ("[,1]", .unexpectedByte(offset: 1)),
            ("[1 2]", .unexpectedByte(offset: 3)), (#"{"a":1,}"#, .unexpectedByte(offset: 7)),
            (#"{"a" 1}"#, .unexpectedByte(offset: 5)), ("{a:1}", .unexpectedByte(offset: 1)),
            ("{1:1}", .unexpectedByte(offset: 1)), ("'a'", .unexpectedByte(offset: 0)),
            ("// no\n1", .unexpectedByte(offset: 0)), ("TRUE", .unexpectedByte(offset: 0)),
            ("NaN", .unexpectedByte(offset: 0)), ("Infinity", .unexpectedByte(offset: 0)),
            ("\u{FEFF}1", .unexpectedByte(offset: 0)), ("\u{00A0}1", .unexpectedByte(offset: 0)),
            ("1 1", .trailingBytes(offset: 2)), ("{}x", .trailingBytes(offset: 2)), ("01", .trailingBytes(offset: 1)),
            ("-01", .trailingBytes(offset: 2)), ("1.5.5", .trailingBytes(offset: 3)),
            ("0x1", .trailingBytes(offset: 1)),
            ("-", .invalidNumber(offset: 0)), ("-x", .invalidNumber(offset: 0)), ("1.", .invalidNumber(offset: 0)),
            ("1.e1", .invalidNumber(offset: 0)), ("1e", .invalidNumber(offset: 0)),
            ("[1e+]", .invalidNumber(offset: 1)),
            (".5", .unexpectedByte(offset: 0)), ("+1", .unexpectedByte(offset: 0)),
            (#""\x""#, .invalidString(offset: 1)),
            (#""\u12g4""#, .invalidString(offset: 1)), (#""\ud800""#, .invalidString(offset: 1)),
            (#""\ud800\u0041""#, .invalidString(offset: 1)), (#""\udc00""#, .invalidString(offset: 1)),
            ("\"a\nb\"", .invalidString(offset: 2)), ("\"\u{0}\"", .invalidString(offset: 1)),
            (#"{"a":1,"a":2}"#, .duplicateMember("a", offset: 7)),
            (#"{"a":1,"\u0061":2}"#, .duplicateMember("a", offset: 7)),
            (#"[{"b":{"c":1,"c":1}}]"#, .duplicateMember("c", offset: 13)),
        ] as [(String, JSONSyntaxError)])
    func refuses(text: String, error: JSONSyntaxError) {
        #expect(throws: error) { try JSONValue(parsing: text) }
    }

    @Test(
        "refuses bytes that are not UTF-8 inside a string",
        arguments: [
            [0xFF], [0xC3], [0xC0, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
        ] as [[UInt8]])
    func refusesInvalidUTF8(bytes: [UInt8]) {
        let text = Array("[\"".utf8) + bytes + Array("\"]".utf8)
        #expect(throws: JSONSyntaxError.invalidUTF8(offset: 1)) { try JSONValue(parsing: text) }
        let name = Array("{\"".utf8) + bytes + Array("\":1}".utf8)
        #expect(throws: JSONSyntaxError.invalidUTF8(offset: 1)) { try JSONValue(parsing: name) }
    }

    /// Swift's readers take both for one name, so a dictionary on the phone would lose one of them.
    @Test func `two spellings of one letter are one name`() {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}") }
    }

    @Test func `nesting is taken up to the limit and not beyond`() throws {
        func nested(_ levels: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
        }
        let limit = JSONValue.defaultDepthLimit
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            _ = try JSONValue(parsing: nested(limit, open, close))
            #expect(throws: JSONSyntaxError.tooDeep(limit: limit)) {
                try JSONValue(parsing: nested(limit + 1, open, close))
            }
        }
        #expect(throws: JSONSyntaxError.tooDeep(limit: 0)) { try JSONValue(parsing: "[]", depthLimit: 0) }
        #expect(try JSONValue(parsing: "1", depthLimit: 0) == 1)
        // Far beyond the limit neither stack nor time is spent.
        #expect(throws: JSONSyntaxError.tooDeep(limit: limit)) {
            try JSONValue(parsing: String(repeating: "[", count: 1_000_000))
        }
    }

    @Test(
        "keeps number literals, member order and text",
        arguments: [
            "0", "-0", "2.50", "1e3", "1E+03", "-1.0e-10", "123456789012345678901234567890", "0.1000", "null", "true",
            "[]", "{}", "[[],{}]", #"{"z":1,"a":2,"m":{"y":[2.50,1e3],"b":null}}"#, #""""#, #""\"\\\n\r\t""#,
            #""\u0000\u001f""#, "\"\u{7F}é€😀\"", #""/""#,
        ])
    func keeps(text: String) throws {
        #expect(try JSONValue(parsing: text).text == text)
        #expect(try JSONValue(parsing: " \t\r\n\(text)\n ").text == text)
    }

    @Test(
        "reads escapes as the text they stand for",
        arguments: [
            (#""\u00e9""#, "é"), (#""\u00E9""#, "é"), (#""\ud83d\ude00""#, "😀"), (#""\/""#, "/"),
            (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"), (#""\u0000""#, "\u{0}"), (#""\uffff""#, "\u{FFFF}"),
        ])
    func escapes(text: String, string: String) throws {
        #expect(try JSONValue(parsing: text).string == string)
    }

    /// Every text within one edit of a valid one either parses, and then writing and parsing again changes nothing, or
    /// is refused; nothing traps. Foundation's reader takes everything that ours takes.
    @Test func `a mutated text is refused or read, never half of both`() throws {
        let seed = Array(#"{"a":[1,-2.50e3,"x\u00e9\n",true,null],"b":{"c":"\ud83d\ude00"}}"#.utf8)
        let alphabet = Array("{}[],:\"\\ue0.-+19tnf \u{0}".utf8) + [0x80, 0xC3, 0xFF]
        var taken = 0
        for position in seed.indices {
            for byte in alphabet {
                var replaced = seed
                replaced[position] = byte
                var inserted = seed
                inserted.insert(byte, at: position)
                for text in [replaced, inserted, Array(seed[..<position])] {
                    guard let value = try? JSONValue(parsing: text) else { continue }
                    taken += 1
                    #expect(try JSONValue(parsing: value.utf8) == value)
                    #expect(throws: Never.self) {
                        try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
                    }
                }
            }
        }
        #expect(taken > 100)
    }

    @Test func `random values survive being written and read`() throws {
        var random = SeededGenerator(seed: 8, name: "values")
        for _ in 0..<500 {
            let value = JSONValue.random(depth: 4, &random)
            #expect(try JSONValue(parsing: value.utf8) == value)
        }
    }
}

extension JSONValue {
    fileprivate static func random(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .finite(Double.random(in: -1e9...1e9, using: &random)) ?? .null
        case 3: .string(text(&random))
        case 4: .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in .random(depth: depth - 1, &random) })
        default:
            .object(
                JSONObject(
                    (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                        (text(&random), .random(depth: depth - 1, &random))
                    }))
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let scalars: [Unicode.Scalar] = ["a", "\"", "\\", "\n", "\u{0}", "é", "€", "😀", "\u{1F}", " ", "/"]
        return String(
            String.UnicodeScalarView(
                (0..<Int.random(in: 0..<6, using: &random)).compactMap { _ in scalars.randomElement(using: &random) }))
    }
}
