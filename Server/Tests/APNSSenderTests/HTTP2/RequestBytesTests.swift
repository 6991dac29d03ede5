import HTTP2Frames
import NIOCore
import Testing

@testable import APNSSender

/// Requests as the server reads them, with a decoder that is not ours.
@Suite("What the HTTP/2 core writes") struct RequestBytesTests {
    @Test func `a connection begins with the preface and settings that ask for no table and no pushes`() throws {
        var core = HTTP2ClientCore<Int>(bodyLimit: 10)
        var bytes = core.takeOutput()
        #expect(bytes.readString(length: 24) == "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        #expect(bytes.peekFrameHeader() == FrameHeader(length: 18, kind: 4))
        bytes.moveReaderIndex(forwardBy: 9)
        let settings: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 6, 0, 0, 0x40, 0]
        #expect(Array(bytes.readableBytesView) == settings)
    }

    @Test func `each request has its own path and id, and shares the rest through the table`() throws {
        var rig = try CoreRig()
        rig.open(1, token: [0xAB, 0x01])
        rig.open(2, token: Array(repeating: 0xFF, count: 80))
        rig.open(3, token: [0x00], body: [])
        let frames = rig.frames()
        #expect(frames.map(\.header.kind) == [1, 0, 1, 0, 1])
        #expect(frames.map(\.header.stream) == [1, 1, 3, 3, 5])
        #expect(frames.map(\.header.flags) == [4, 1, 4, 1, 5])
        #expect(frames[1].bytes == [7, 8, 9])
        let fields = try [0, 2, 4].map { try rig.fields(frames[$0]) }
        let first: [String: String] = [
            ":method": "POST", ":scheme": "https", ":authority": "apple", ":path": "/3/device/ab01",
            "authorization": "bearer of news", "apns-push-type": "alert", "apns-expiration": "1",
            "apns-id": "00000000-0000-0001-ffff-ffffffffffff",
        ]
        #expect(fields[0] == first)
        let path = "/3/device/" + String(repeating: "ff", count: 80)
        #expect(fields[1][":path"] == path)
        #expect(fields[1]["apns-expiration"] == "2")
        #expect(fields[2]["apns-id"] == "00000000-0000-0003-ffff-ffffffffffff")
        #expect(fields.allSatisfy { $0["authorization"] == "bearer of news" })
        // The second one says in single bytes what the first one said in words.
        #expect(frames[4].header.length < 90)
    }

    /// 200 bytes are the longest token. The length of its path takes one, two or three bytes.
    @Test(arguments: [1, 57, 58, 59, 121, 122, 123, 200])
    func `tokens of every length arrive whole`(length: Int) throws {
        var rig = try CoreRig()
        let token = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
        rig.open(1, token: token)
        let frame = try #require(rig.frames().first)
        let digits = token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(try rig.fields(frame)[":path"] == "/3/device/" + digits)
    }

    /// A table of no bytes, of some, of all; smaller in between; with more fields than it holds.
    @Test(arguments: [0, 40, 150, 400, 4_096, 1 << 20])
    func `the peer's table may have any size, and change it`(size: Int) throws {
        var rig = try CoreRig()
        for round in 0..<40 {
            if round % 10 == 4 {
                let sizes = round == 24 ? [0, size] : [round % 20 == 4 ? size : 4_096]
                for size in sizes { _ = try rig.receive(CoreRig.settings([(1, UInt32(size))])) }
                rig.decoder.maxDynamicTableLength = 4_096
            }
            rig.open(round, value: String(repeating: "x", count: round * 9 % 130))
            _ = try rig.receive(CoreRig.answer(UInt32(2 * round + 1)))
            let frames = rig.frames().filter { $0.header.kind == 1 }
            let fields = try frames.map { try rig.fields($0) }
            #expect(fields.map { $0["apns-push-type"]?.count } == [round * 9 % 130])
            #expect(fields.first?["authorization"] == "bearer of news")
            #expect(fields.first?["apns-expiration"] == "\(round)")
        }
    }

    @Test func `texts that look alike are not taken for each other`() throws {
        var rig = try CoreRig()
        for value in ["caf\u{E9}", "cafe\u{301}"] { rig.open(1, value: value) }
        let fields = try rig.frames().filter { $0.header.kind == 1 }.map { try rig.fields($0) }
        #expect(fields.compactMap { $0["apns-push-type"]?.utf8.count } == [5, 6])
    }

    @Test func `a stencil holds until the table changes`() {
        var table = HeaderTable()
        func make() -> RequestStencil {
            RequestStencil(.channel, for: &table) { table, block in
                table.write("a", "b", to: &block)
            } between: { _, _ in
            }
        }
        #expect(!make().holds(for: table))
        let second = make()
        #expect(second.holds(for: table))
        table.limit(to: 100)
        #expect(!second.holds(for: table))
        #expect(!make().holds(for: table))
        #expect(make().holds(for: table))
    }

    @Test func `a body goes as far as the windows let it, and on when they open, in the order of the requests`() throws
    {
        var rig = try CoreRig(settings: [(3, 100), (4, 5)])
        let body = Array("0123456789ab".utf8)
        rig.open(1, body: body)
        #expect(rig.core.room(of: 100) == 0)
        rig.open(2, body: body)
        var data = rig.frames().filter { $0.header.kind == 0 }
        #expect(data.map { String(decoding: $0.bytes, as: UTF8.self) } == ["01234", "01234"])
        _ = try rig.receive(CoreRig.windowUpdate(3, 100))
        #expect(rig.frames().map(\.bytes) == [Array("56789ab".utf8)])
        // Raising what new streams get raises what open ones have, too.
        _ = try rig.receive(CoreRig.settings([(4, 8)]))
        data = rig.frames().filter { $0.header.kind == 0 }
        #expect(data.map { String(decoding: $0.bytes, as: UTF8.self) } == ["567"])
        _ = try rig.receive(CoreRig.windowUpdate(1, 4))
        data = rig.frames()
        #expect(data.map(\.bytes) == [Array("89ab".utf8)])
        #expect(data.map(\.header.flags) == [1])
        #expect(rig.core.room(of: 100) == 98)
    }

    @Test func `where the connection's window is used up there is no room until it opens`() throws {
        var rig = try CoreRig(settings: [(3, 100), (4, 1 << 20)])
        let body = [UInt8](repeating: 1, count: 16_000)
        for tag in 1...4 { rig.open(tag, body: body) }
        #expect(rig.core.room(of: 100) > 0)
        rig.open(5, body: body)
        let data = rig.frames().filter { $0.header.kind == 0 }
        #expect(data.reduce(0) { $0 + $1.header.length } == 65_535)
        #expect(rig.core.room(of: 100) == 0)
        _ = try rig.receive(CoreRig.windowUpdate(0, 14_465))
        #expect(rig.frames().map(\.header.flags) == [1])
        #expect(rig.core.room(of: 100) == 0)
        _ = try rig.receive(CoreRig.windowUpdate(0, 1))
        #expect(rig.core.room(of: 100) == 95)
    }

    @Test func `an answer that comes before its request has left ends it`() throws {
        var rig = try CoreRig(settings: [(3, 100), (4, 2)])
        rig.open(1)
        _ = rig.frames()
        #expect(try rig.receive(CoreRig.answer(1)) == ["1: 200"])
        let frames = rig.frames()
        #expect(frames.map(\.header.kind) == [3])
        #expect(rig.core.room(of: 100) == 100)
        // The stream's window opens late, and nothing more comes of it.
        _ = try rig.receive(CoreRig.windowUpdate(1, 100))
        #expect(rig.frames().isEmpty)
    }

    @Test func `what is given up is reset and makes room, and its answer is passed over`() throws {
        var rig = try CoreRig(settings: [(3, 2)])
        rig.open(1)
        rig.open(2)
        #expect(rig.core.room(of: 100) == 0)
        _ = rig.frames()
        #expect(rig.core.cancel { $0 == 1 } == 1)
        #expect(rig.frames().map(\.bytes) == [[0, 0, 0, 8]])
        #expect(rig.core.room(of: 100) == 1)
        #expect(try rig.receive(CoreRig.answer(1), CoreRig.answer(3)) == ["2: 200"])
        #expect(rig.core.abandonAll().isEmpty)
    }
}
