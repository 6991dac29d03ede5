import HTTP2Frames
import NIOCore
import Testing

@testable import APNSSimulator

@Suite("What the HTTP/2 server core reads") struct RequestReadingTests {
    @Test func `a connection begins with settings and a wide window`() throws {
        var core = HTTP2ServerCore(HTTP2ServerCore.Limits(streams: 1, keptBody: 8, longestBody: 20, window: 1_000))
        let bytes = Array(core.takeOutput().readableBytesView)
        let settings: [(UInt16, UInt32)] = [(1, 4_096), (3, 1), (4, 65_535), (5, 16_384), (6, 8_000)]
        #expect(bytes == ServerRig.settings(settings) + ServerRig.window(0, 1_000))
    }

    @Test func `requests are told however their bytes are cut`() throws {
        var first = try ServerRig()
        let bytes =
            try first.headers(1, ends: false) + ServerRig.data(1, "ab", ends: false) + first.headers(3)
            + ServerRig.frame(6, Array(1...8)) + ServerRig.data(1, "c")
        for step in 1...bytes.count {
            var rig = try ServerRig()
            var words: [String] = []
            for begin in stride(from: 0, to: bytes.count, by: step) {
                words += try rig.receive(Array(bytes[begin..<min(begin + step, bytes.count)]))
            }
            #expect(words == ["3: /3/device/00  0", "1: /3/device/00 abc 3"], "in pieces of \(step)")
            #expect(rig.frames().map(\.payload) == [Array(1...8)], "the ping is answered")
        }
    }

    @Test func `padding, priorities, continued blocks and trailers are understood`() throws {
        var rig = try ServerRig()
        let block = try rig.block(ServerRig.usual)
        let padded = ServerRig.frame(1, flags: 0x2C, on: 1, [2, 0, 0, 0, 0, 5] + block + [0, 0])
        #expect(try rig.receive(padded, ServerRig.frame(0, flags: 9, on: 1, [1, 0x61, 0])) == ["1: /3/device/00 a 1"])
        let second = try rig.block(ServerRig.usual)
        let (begin, rest) = (Array(second.prefix(2)), Array(second.dropFirst(2)))
        #expect(
            try rig.receive(
                ServerRig.frame(1, flags: 1, on: 3, begin), ServerRig.frame(9, on: 3),
                ServerRig.frame(9, flags: 4, on: 3, rest)) == ["3: /3/device/00  0"])
        let (open, trailers) = (try rig.headers(5, ends: false), try rig.headers(5, [("digest", "1")]))
        #expect(try rig.receive(open, ServerRig.data(5, "x", ends: false), trailers) == ["5: /3/device/00 x 1"])
    }

    @Test func `the window that padding took of a stream is given back`() throws {
        var rig = try ServerRig()
        let padded = ServerRig.frame(0, flags: 8, on: 1, [3, 0x61, 0, 0, 0])
        #expect(try rig.receive(rig.headers(1, ends: false), padded).isEmpty)
        #expect(try rig.words() == ["8 on 1 [0, 0, 0, 4]"])
    }

    @Test func `a body is kept up to its limit, and cut off where it does not end`() throws {
        var rig = try ServerRig()
        let long = String(repeating: "x", count: 20)
        #expect(
            try rig.receive(rig.headers(1, ends: false), ServerRig.data(1, long)) == ["1: /3/device/00 xxxxxxxx 20"])
        #expect(
            try rig.receive(rig.headers(3, ends: false), ServerRig.data(3, long + "y", ends: false))
                == ["3: /3/device/00 xxxxxxxx 21"])
        // What comes of it afterwards is passed over, its end as well.
        let rest = try ServerRig.data(3, "more", ends: false) + rig.headers(3, [("digest", "1")])
        #expect(try rig.receive(rest).isEmpty)
        rig.answer(3, 413)
        #expect(try rig.words() == ["3: :status=413 apns-id=x.", "3: reset 0"])
    }

    @Test(
        arguments: [
            ("no path", [(":method", "POST"), (":scheme", "https")]),
            ("an empty path", [(":method", "POST"), (":scheme", "https"), (":path", "")]),
            ("a path twice", ServerRig.usual(and: ":path", "/")),
            ("a method behind a field", [(":scheme", "https"), (":path", "/"), ("a", "b"), (":method", "POST")]),
            ("a status", [(":status", "200")] + ServerRig.usual),
            ("capitals in a name", ServerRig.usual(and: "Apns-Id", "x")),
            ("a name with a space", ServerRig.usual(and: "a b", "x")),
            ("a line's end in a value", ServerRig.usual(and: "a", "x\r\ny: z")),
            ("white space around a value", ServerRig.usual(and: "a", " x")),
            ("a field of the connection", ServerRig.usual(and: "transfer-encoding", "chunked")),
            ("a te that is not trailers", ServerRig.usual(and: "te", "gzip")),
            ("a length that is not kept", ServerRig.usual(and: "content-length", "3")),
        ] as [(String, [(String, String)])])
    func `what is no request ends its stream and nothing else`(what: String, fields: [(String, String)]) throws {
        var rig = try ServerRig()
        let bytes = try rig.headers(1, fields, ends: false) + ServerRig.data(1, "ab")
        #expect(try rig.receive(bytes).isEmpty, "\(what)")
        #expect(try rig.words() == ["1: reset 1"], "\(what)")
        #expect(try rig.receive(rig.headers(3)) == ["3: /3/device/00  0"], "the table is as the client has it")
    }

    @Test func `streams beyond the limit are refused, also where answers wait for a window`() throws {
        var rig = try ServerRig(streams: 2, settings: [(4, 0)])
        #expect(try rig.receive(rig.headers(1), rig.headers(3), rig.headers(5)).count == 2)
        #expect(try rig.words() == ["5: reset 7"])
        rig.answer(1)
        rig.answer(3, 400, "no")
        #expect(try rig.receive(rig.headers(7), rig.headers(9)).count == 1)
        #expect(try rig.words() == ["1: :status=200 apns-id=x.", "3: :status=400 apns-id=x", "9: reset 7"])
        rig.core.allow(streams: 3)
        #expect(try rig.receive(rig.headers(11)).count == 1)
    }

    @Test func `a client that cannot know the limit of streams yet is not held to it`() throws {
        var core = HTTP2ServerCore(HTTP2ServerCore.Limits(streams: 1, keptBody: 8, longestBody: 20, window: 1))
        var rig = try ServerRig()
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + ServerRig.settings([])
        let requests = try preface + rig.headers(1) + rig.headers(3) + ServerRig.frame(4, flags: 1) + rig.headers(5)
        core.feed(ByteBuffer(bytes: requests))
        #expect(try core.next()?.stream == 1)
        #expect(try core.next()?.stream == 3)
        #expect(try core.next()?.stream == nil)
    }

    @Test(
        arguments: [
            ("another protocol", Array("GET / HTTP/1.1\r\n\r\n".utf8), 1),
            ("no settings", ServerRig.frame(6, Array(1...8)), 1),
            ("a stream of the server's", ServerRig.frame(1, flags: 5, on: 2, [0x82]), 1),
            ("data of a stream that was never opened", ServerRig.data(1, "x"), 1),
            ("a reset of one", ServerRig.reset(1), 1),
            ("a window of one", ServerRig.window(1, 1), 1),
            ("a push", ServerRig.frame(5, flags: 4, on: 1, [0, 0, 0, 2]), 1),
            ("a window that overflows", ServerRig.window(0, 0x7FFF_FFFF), 3),
            ("a header block that cannot be decoded", ServerRig.frame(1, flags: 5, on: 1, [0xFE]), 9),
            ("settings that are none", ServerRig.settings([(5, 100)]), 1),
            ("a window too large", ServerRig.settings([(4, 0x8000_0000)]), 3),
        ] as [(String, [UInt8], UInt32)])
    func `what HTTP/2 forbids ends the connection`(what: String, bytes: [UInt8], code: UInt32) throws {
        let isBeginning = ["another protocol", "no settings"].contains(what)
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        var core = HTTP2ServerCore(HTTP2ServerCore.Limits(streams: 9, keptBody: 8, longestBody: 20, window: 1))
        let beginning = what == "another protocol" ? [] : isBeginning ? preface : preface + ServerRig.settings([])
        core.feed(ByteBuffer(bytes: beginning + bytes))
        let violation = #expect(throws: HTTP2Violation.self) { while try core.next() != nil {} }
        #expect(violation?.code.rawValue == code, "\(what): \(violation?.words ?? "")")
    }

    @Test func `a stream's window overflows before its answer as well`() throws {
        var rig = try ServerRig()
        let violation = #expect(throws: HTTP2Violation.self) {
            try rig.receive(rig.headers(1), ServerRig.window(1, 0x7FFF_FFFF))
        }
        #expect(violation?.code == .flowControl)
    }

    @Test func `more header fields than anybody reads end the connection`() throws {
        var rig = try ServerRig()
        let long = try rig.headers(1, ServerRig.usual(and: "a", String(repeating: "x", count: 8_000)))
        let violation = #expect(throws: HTTP2Violation.self) { try rig.receive(long) }
        #expect(violation?.code == .enhanceYourCalm)
    }

    @Test func `floods end the connection, and honest crowds do not`() throws {
        var rig = try ServerRig(streams: 2_000)
        // A thousand bodies in twelve pieces each, none of which ends before the others have come as far.
        for stream in 0..<1_000 { #expect(try rig.receive(rig.headers(UInt32(2 * stream + 1), ends: false)).isEmpty) }
        for _ in 0..<12 {
            for stream in 0..<1_000 {
                #expect(try rig.receive(ServerRig.data(UInt32(2 * stream + 1), "x", ends: false)).isEmpty)
            }
        }
        for bytes in [ServerRig.frame(6, Array(1...8)), ServerRig.data(1, "", ends: false), ServerRig.settings([])] {
            var rig = try ServerRig()
            #expect(try rig.receive(rig.headers(1, ends: false)).isEmpty)
            #expect(throws: HTTP2Violation.self) { for _ in 0...10_001 { _ = try rig.receive(bytes) } }
        }
    }

    @Test func `streams that are opened and given up again and again end the connection`() throws {
        var rig = try ServerRig()
        #expect(throws: HTTP2Violation.self) {
            for stream in 0..<10_002 {
                let id = UInt32(2 * stream + 1)
                _ = try rig.receive(rig.headers(id, ends: false), ServerRig.reset(id))
            }
        }
    }
}
