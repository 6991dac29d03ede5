import EyotContract
import Testing

@Suite("Hexadecimal text")
struct HexBytesTests {
    @Test func `every byte survives, in either case`() {
        let bytes = (0...255).map { UInt8($0) }
        let text = HexBytes.text(of: bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(HexBytes.bytes(of: text) == bytes)
        #expect(HexBytes.bytes(of: text.uppercased()) == bytes)
        #expect(HexBytes.bytes(of: "") == [])
    }

    @Test("refuses what is not pairs of digits", arguments: ["0", "000", "0g", "g0", "0x00", " 00", "00 ", "é0", "-1"])
    func refuses(text: String) {
        #expect(HexBytes.bytes(of: text) == nil)
    }
}

@Suite("A push token")
struct PushTokenTests {
    @Test func `has 1 to 200 bytes and no size of its own`() {
        #expect(PushToken(bytes: [UInt8]()) == nil)
        #expect(PushToken(hex: "") == nil)
        #expect(PushToken(hex: "zz") == nil)
        #expect(PushToken(bytes: [1])?.hex == "01")
        for length in [32, 80, 200] { #expect(PushToken(bytes: Array(repeating: 7, count: length)) != nil) }
        #expect(PushToken(bytes: Array(repeating: 7, count: 201)) == nil)
        #expect(PushToken(hex: "AB0f") == PushToken(bytes: [0xAB, 0x0F]))
    }

    @Test func `is never whole in a text`() throws {
        let token = try #require(PushToken(bytes: (0..<80).map { UInt8($0) }))
        #expect(token.description == "0001…4e4f (80 bytes)")
        #expect("\(token)" == token.description)
        #expect(String(reflecting: token) == token.description)
        #expect("\([token])".contains(token.hex) == false)
        #expect("\(Optional(token) as Any)".contains(token.hex) == false)
        let change = DeviceChange(sequence: 1, action: .setStartToken(type: "A", token: token))
        #expect("\(change)".contains(token.hex) == false)
    }

    @Test func `a short one is hidden altogether`() throws {
        let token = try #require(PushToken(bytes: [1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(token.description == "… (8 bytes)")
    }

    @Test func `does not print its bytes when it is dumped`() throws {
        let token = try #require(PushToken(bytes: Array(repeating: 0xAB, count: 80)))
        var text = ""
        dump(token, to: &text)
        #expect(!text.contains("171"))
    }

    @Test func `each environment has another one`() {
        #expect(PushEnvironment.sandbox.other == .production)
        #expect(PushEnvironment.production.other == .sandbox)
    }
}
