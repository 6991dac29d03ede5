import EyotHTTP
import NIOCore
import Testing

@testable import HTTPConnections

@Suite("Trusted proxies")
struct TrustedProxiesTests {
    private func address(_ text: String) throws -> SocketAddress { try SocketAddress(ipAddress: text, port: 0) }

    private func proxies(_ header: TrustedProxies.Header) throws -> TrustedProxies {
        TrustedProxies(
            try ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].map { try #require(AddressRange($0)) }, header: header)
    }

    private func caller(
        _ header: TrustedProxies.Header, _ values: [String], from peer: String = "127.0.0.1"
    ) throws -> String? {
        try proxies(header).caller(from: address(peer)) { $0 == header.rawValue ? values : [] }?.ipAddress
    }

    @Test(
        "A range holds the addresses that begin like it",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false), ("10.1.2.0/23", "10.1.3.9", true), ("10.1.2.0/23", "10.1.4.0", false),
            ("0.0.0.0/0", "203.0.113.7", true), ("0.0.0.0/0", "2001:db8::1", false), ("fd00::/8", "fdff::1", true),
            ("fd00::/8", "fe00::1", false), ("::1", "::1", true), ("10.0.0.0/8", "::ffff:10.0.0.1", true),
            ("::ffff:10.0.0.1", "10.0.0.1", true), ("2001:db8::/33", "2001:db8:8000::", false),
        ])
    func ranges(range: String, address text: String, holds: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(address(text)) == holds)
    }

    @Test(
        "Text that is no range is refused",
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.0/8/8", "10.0.0", "a", "::/129",
            "10.0.0.0/ 8", "10.0.0.0/+8", "/tmp/socket",
        ])
    func wrongRanges(_ text: String) { #expect(AddressRange(text) == nil) }

    @Test(
        "The caller is the last address that is no trusted proxy's",
        arguments: [
            (["203.0.113.7"], "203.0.113.7"), (["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
            (["203.0.113.7, 10.0.0.1,10.0.0.2"], "203.0.113.7"), (["203.0.113.7:4711"], "203.0.113.7"),
            (["[2001:db8::1]:4711"], "2001:db8::1"), (["2001:db8::1"], "2001:db8::1"),
            (["[2001:db8::1]"], "2001:db8::1"), (["198.51.100.1", "203.0.113.7"], "203.0.113.7"),
            (["203.0.113.7", "10.0.0.1"], "203.0.113.7"), (["\t203.0.113.7 "], "203.0.113.7"),
            // What the caller wrote itself is not read.
            (["rubbish,\",,203.0.113.7"], "203.0.113.7"),
            (["\"", "203.0.113.7"], "203.0.113.7"),
        ])
    func forwardedFor(values: [String], caller: String) throws {
        #expect(try self.caller(.forwardedFor, values) == caller)
    }

    @Test(
        "Without a caller that can be read the proxy itself is the caller",
        arguments: [
            [], [""], [","], ["10.0.0.1"], ["unknown"], ["203.0.113.7,"], ["203.0.113.7, unknown"], ["203.0.113"],
            ["203.0.113.7:"], ["203.0.113.7:x"], ["203.0.113.7:123456"], ["203.0.113.7:80:80"], ["[203.0.113.7]"],
            ["[2001:db8::1"], ["2001:db8::1]"], ["[2001:db8::1]x"], ["fe80::1%eth0"], ["203.0.113.7 203.0.113.8"],
            ["0x7f.1"], ["2130706433"], ["\"203.0.113.7\""], ["203.0.113.7\0"], [String(repeating: "1", count: 9_000)],
            [String(repeating: ",", count: 9_000)], ["²03.0.113.7"], ["203.0.113.7:８０"],
        ])
    func malformed(values: [String]) throws {
        #expect(try caller(.forwardedFor, values) == "127.0.0.1")
    }

    @Test(
        "RFC 7239 names the caller with for=",
        arguments: [
            (["for=203.0.113.7"], "203.0.113.7"), (["For=\"203.0.113.7:80\";proto=https"], "203.0.113.7"),
            (["proto=http;by=10.0.0.1;for=\"[2001:db8::1]:4711\""], "2001:db8::1"),
            (["for=198.51.100.1, for=203.0.113.7, for=10.0.0.1"], "203.0.113.7"),
            (["for=203.0.113.7;host=\"a;for=b,c\""], "203.0.113.7"),
            // A quote that the caller left open ends before what the proxy added.
            (["for=\"198.51.100.1, for=203.0.113.7"], "203.0.113.7"),
            (["for=unknown"], "127.0.0.1"), (["for=_hidden"], "127.0.0.1"), (["by=203.0.113.7"], "127.0.0.1"),
            (["for=203.0.113.7;for=203.0.113.8"], "127.0.0.1"), (["for=\"203.0.113.7"], "127.0.0.1"),
            (["for=\""], "127.0.0.1"), (["for"], "127.0.0.1"), (["203.0.113.7"], "127.0.0.1"),
            (["for=203.0.113.7;"], "127.0.0.1"), (["for=\"\\203.0.113.7\""], "127.0.0.1"),
        ])
    func forwarded(values: [String], caller: String) throws {
        #expect(try self.caller(.forwarded, values) == caller)
    }

    @Test func `A caller that is no proxy of ours is not believed`() throws {
        #expect(try caller(.forwardedFor, ["203.0.113.7"], from: "203.0.113.9") == "203.0.113.9")
        #expect(
            TrustedProxies().caller(from: try address("127.0.0.1")) { _ in ["203.0.113.7"] }?.ipAddress == "127.0.0.1")
        #expect(try proxies(.forwarded).caller(from: nil) { _ in ["for=203.0.113.7"] } == nil)
        // The header that the setting does not name was written by the caller.
        let other = try proxies(.forwarded).caller(from: address("127.0.0.1")) {
            $0 == "x-forwarded-for" ? ["203.0.113.7"] : []
        }
        #expect(other?.ipAddress == "127.0.0.1")
    }
}

@Suite("The PROXY protocol")
struct ProxyV2HeaderTests {
    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]

    private func read(_ bytes: [UInt8]) throws -> (header: ProxyV2Header?, rest: Int) {
        var buffer = ByteBuffer(bytes: bytes)
        let header = try ProxyV2Header.read(from: &buffer)
        return (header, buffer.readableBytes)
    }

    static func header(_ command: UInt8, _ family: UInt8, _ block: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? block.count
        return signature + [command, family, UInt8(length >> 8), UInt8(length & 0xff)] + block
    }

    static let four: [UInt8] = [203, 0, 113, 7, 10, 0, 0, 1, 0x12, 0x67, 0, 80]

    @Test func `It names the caller, whatever follows`() throws {
        let four = try read(Self.header(0x21, 0x11, Self.four) + [1, 2])
        #expect(four.header?.caller?.ipAddress == "203.0.113.7")
        #expect(four.rest == 2)
        let tlv: [UInt8] = [4, 0, 1, 0]
        #expect(try read(Self.header(0x21, 0x11, Self.four + tlv)).rest == 0)
        let six: [UInt8] =
            [0x20, 1, 0x0d, 0xb8] + Array(repeating: 0, count: 11) + [1] + Array(repeating: 0, count: 20)
        #expect(try read(Self.header(0x21, 0x21, six)).header?.caller?.ipAddress == "2001:db8::1")
    }

    @Test func `A proxy that speaks for itself, or knows no address, is the caller`() throws {
        #expect(try read(Self.header(0x20, 0x00, [])).header == ProxyV2Header(caller: nil))
        #expect(try read(Self.header(0x20, 0x11, Self.four)).header == ProxyV2Header(caller: nil))
        #expect(try read(Self.header(0x21, 0x00, [1, 2, 3])).header == ProxyV2Header(caller: nil))
    }

    @Test func `A part of it is no header yet, and takes nothing`() throws {
        let whole = Self.header(0x21, 0x11, Self.four)
        for length in 0..<whole.count {
            let part = try read(Array(whole.prefix(length)))
            #expect(part.header == nil)
            #expect(part.rest == length)
        }
    }

    @Test(
        "All else is refused, as early as can be",
        arguments: [
            Array("G".utf8), Array("PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n".utf8), [13, 10, 13, 11],
            header(0x11, 0x11, four), header(0x22, 0x11, four), header(0x21, 0x12, four), header(0x21, 0x31, four),
            header(0x21, 0x11, Array(four.dropLast())), header(0x21, 0x21, four), header(0x21, 0xff, four),
            header(0x21, 0x11, [], length: 4_097), header(0x21, 0x11, [], length: 65_535),
        ])
    func malformed(bytes: [UInt8]) {
        #expect(throws: ProxyV2Header.Malformed.self) { try read(bytes) }
    }
}
