import HTTP2Frames
import NIOCore
import NIOHPACK
import Testing

@testable import APNSSender

@Suite("What the HTTP/2 core reads") struct AnswerBytesTests {
    private func rig(open count: Int) throws -> CoreRig {
        var rig = try CoreRig()
        for tag in 1...count { rig.open(tag) }
        _ = rig.frames()
        return rig
    }

    @Test func `answers are told however their bytes are cut`() throws {
        let bytes =
            CoreRig.answer(3) + CoreRig.answer(1, [0x8D], ends: false) + CoreRig.data(1, #"{"reason":"#, ends: false)
            + CoreRig.data(1, #""X"}"#) + CoreRig.frame(6, Array(1...8)) + CoreRig.answer(5)
        for step in 1...bytes.count {
            var rig = try rig(open: 3)
            var words: [String] = []
            for begin in stride(from: 0, to: bytes.count, by: step) {
                words += try rig.receive(Array(bytes[begin..<min(begin + step, bytes.count)]))
            }
            #expect(words == ["2: 200", #"1: 404 {"reason":"X"}"#, "3: 200"], "in pieces of \(step)")
            // The ping was answered.
            #expect(rig.frames().map(\.bytes) == [Array(1...8)])
        }
    }

    /// The statuses of the fixed table, in words, with a table of the server's own, Huffman coded.
    @Test func `a status is read in every way in which it can be written`() throws {
        var rig = try rig(open: 6)
        let literal = [0x08, 3] + Array("429".utf8)
        let kept = [0x48, 3] + Array("410".utf8)
        let huffman: [UInt8] = [0x08, 0x82, 0x64, 0x02]  // 302, as RFC 7541 C.4.1 has it
        #expect(try rig.receive(CoreRig.answer(1, literal)) == ["1: 429"])
        #expect(try rig.receive(CoreRig.answer(3, kept)) == ["2: 410"])
        #expect(try rig.receive(CoreRig.answer(5, [0xBE])) == ["3: 410"], "by the server's own table")
        #expect(try rig.receive(CoreRig.answer(7, huffman)) == ["4: 302"])
        // A field that goes into the table after a status of the fixed one still counts.
        let inserting = [0x88, 0x40, 1] + Array("a".utf8) + [1] + Array("b".utf8)
        #expect(try rig.receive(CoreRig.answer(9, inserting)) == ["5: 200"])
        #expect(try rig.receive(CoreRig.answer(11, [0xBF])) == ["6: 410"], "now the second newest")
    }

    @Test func `with a server that keeps no table, as it was asked, blocks are walked over`() throws {
        var rig = try rig(open: 3)
        let id = [0x40, 7] + Array("apns-id".utf8) + [2] + Array("xy".utf8)
        #expect(try rig.receive(CoreRig.answer(1, [0x20, 0x88] + id)) == ["1: 200"])
        #expect(try rig.receive(CoreRig.answer(3, [0x88] + id)) == ["2: 200"])
        let long = [0x88, 0x0F, 0x10, 0x7F, 0x81, 0x01] + [UInt8](repeating: 0x61, count: 256)
        #expect(try rig.receive(CoreRig.answer(5, long)) == ["3: 200"])
    }

    @Test func `padding, priorities, continued blocks, announcements and trailers are understood`() throws {
        var rig = try rig(open: 4)
        let padded = CoreRig.frame(1, flags: 0x2D, on: 1, [2, 0, 0, 0, 0, 5, 0x88, 0, 0])
        #expect(try rig.receive(padded) == ["1: 200"])
        let (begin, middle) = (
            CoreRig.frame(1, flags: 1, on: 3, [0x08, 3]), CoreRig.frame(9, on: 3, Array("50".utf8))
        )
        #expect(try rig.receive(begin, middle, CoreRig.frame(9, flags: 4, on: 3, Array("3".utf8))) == ["2: 503"])
        let early = [0x08, 3] + Array("103".utf8)
        #expect(try rig.receive(CoreRig.answer(5, early, ends: false), CoreRig.answer(5)) == ["3: 200"])
        let trailers = [0x00, 1] + Array("t".utf8) + [1] + Array("1".utf8)
        #expect(
            try rig.receive(
                CoreRig.answer(7, [0x8E], ends: false), CoreRig.frame(0, flags: 8, on: 7, [1, 0x78, 0]),
                CoreRig.answer(7, trailers)) == ["4: 500 x"])
    }

    @Test func `an answer without a status, or with two, is no acceptance`() throws {
        var rig = try rig(open: 3)
        #expect(try rig.receive(CoreRig.data(1, "ok")) == ["1: reset 1"])
        #expect(try rig.receive(CoreRig.answer(3, [0x8C], ends: false), CoreRig.answer(3)) == ["2: 400"])
        let early = [0x08, 3] + Array("100".utf8)
        #expect(try rig.receive(CoreRig.answer(5, early)) == ["3: reset 1"])
    }

    @Test func `resets say why, and a goodbye says which requests were not processed`() throws {
        var rig = try rig(open: 4)
        #expect(try rig.receive(CoreRig.frame(3, on: 1, [0, 0, 0, 7])) == ["1: reset 7"])
        let goodbye = CoreRig.big(3) + CoreRig.big(0) + Array("bye".utf8)
        #expect(try rig.receive(CoreRig.frame(7, goodbye)) == ["leaving [3, 4] bye"])
        #expect(try rig.receive(CoreRig.answer(3)) == ["2: 200"])
        #expect(try rig.receive(CoreRig.frame(7, CoreRig.big(0) + CoreRig.big(0))) == ["leaving [] "])
    }

    @Test func `the turn of a request is past when a newer one was answered or reset, and none comes after a goodbye`()
        throws
    {
        var rig = try rig(open: 5)
        #expect(rig.core.newestStream == 9)
        _ = try rig.receive(CoreRig.answer(3))
        #expect(rig.core.newestAnswered == 3)
        _ = try rig.receive(CoreRig.frame(3, on: 5, [0, 0, 0, 7]))
        #expect(rig.core.newestAnswered == 5)
        _ = try rig.receive(CoreRig.frame(7, CoreRig.big(7) + CoreRig.big(0)))
        #expect(rig.core.lastAnswerable == 7)
    }

    @Test func `whoever has begun to answer has processed the request, whatever is said later`() throws {
        var rig = try rig(open: 3)
        for stream: UInt32 in [1, 3] { _ = try rig.receive(CoreRig.answer(stream, ends: false)) }
        #expect(try rig.receive(CoreRig.frame(3, on: 1, [0, 0, 0, 7])) == ["1: reset 1"])
        #expect(try rig.receive(CoreRig.frame(7, CoreRig.big(0) + CoreRig.big(0))) == ["leaving [3] "])
        #expect(try rig.receive(CoreRig.data(3, "")) == ["2: 200"])
    }

    @Test func `what was read does not stay, though each piece ends within a frame`() throws {
        var rig = try rig(open: 1)
        let ping = CoreRig.frame(6, Array(1...8))
        _ = try rig.receive(Array(ping.prefix(5)))
        for round in 0..<4_000 {
            _ = try rig.receive(Array(ping.dropFirst(5) + ping.prefix(5)))
            if round % 50 == 0 { _ = rig.frames() }
        }
        #expect(rig.core.link.reader.input.capacity < 1_000)
    }

    @Test func `a body is kept up to its limit, and the rest of it is refused`() throws {
        var rig = try CoreRig(bodyLimit: 8)
        rig.open(1)
        _ = rig.frames()
        let words = try rig.receive(
            CoreRig.answer(1, [0x8E], ends: false), CoreRig.data(1, "12345", ends: false),
            CoreRig.data(1, "67890", ends: false), CoreRig.data(1, "more", ends: false))
        #expect(words == ["1: 500 123456789"])
        #expect(rig.frames().map(\.bytes) == [[0, 0, 0, 8]])
    }

    @Test func `received bytes are given back to the peer's window, also those of streams that are over`() throws {
        var rig = try rig(open: 1)
        _ = try rig.receive(CoreRig.answer(1))
        for _ in 0..<4 { _ = try rig.receive(CoreRig.data(1, String(repeating: "x", count: 5_000), ends: false)) }
        #expect(rig.frames().map(\.bytes) == [CoreRig.big(20_000)])
    }

    @Test func `settings are acknowledged, and a lower number of streams holds from then on`() throws {
        var rig = try rig(open: 3)
        #expect(rig.core.room(of: 50) == 47)
        #expect(try rig.receive(CoreRig.settings([(3, 2), (99, 1)])).isEmpty)
        #expect(rig.frames().map(\.header) == [FrameHeader(length: 0, kind: 4, flags: 1)])
        #expect(rig.core.room(of: 50) == 0)
        _ = try rig.receive(CoreRig.answer(1), CoreRig.answer(5))
        #expect(rig.core.room(of: 50) == 1)
    }

    // MARK: What is not allowed

    @Test(
        arguments: [
            ("a frame too long", [0, 0x40, 1, 0, 0, 0, 0, 0, 1], 6),
            ("settings of a stream", CoreRig.frame(4, on: 1), 1),
            ("settings of five bytes", CoreRig.frame(4, [0, 1, 0, 0, 0]), 6),
            ("an acknowledgement with content", CoreRig.frame(4, flags: 1, [0, 3, 0, 0, 0, 1]), 6),
            ("a window too large", CoreRig.settings([(4, 0x8000_0000)]), 3),
            ("a window that overflows", CoreRig.windowUpdate(0, 0x7FFF_FFFF), 3),
            ("a window that grows by nothing", CoreRig.windowUpdate(0, 0), 1),
            ("a stream that nobody opened", CoreRig.answer(3), 1),
            ("a stream of the server's", CoreRig.answer(2), 1),
            ("data of no stream", CoreRig.data(0, "x"), 1),
            ("a push", CoreRig.frame(5, flags: 4, on: 1, [0, 0, 0, 2, 0x88]), 1),
            ("a block that is interrupted", CoreRig.frame(1, on: 1, [0x88]) + CoreRig.frame(6, Array(1...8)), 1),
            ("a continuation of nothing", CoreRig.frame(9, flags: 4, on: 1, [0x88]), 1),
            ("padding of all and more", CoreRig.frame(1, flags: 0xD, on: 1, [9, 0x88]), 1),
            ("a priority without room", CoreRig.frame(1, flags: 0x25, on: 1, [0x88]), 6),
            ("a reset of three bytes", CoreRig.frame(3, on: 1, [0, 0, 0]), 6),
            ("a ping of seven", CoreRig.frame(6, Array(1...7)), 6),
            ("a goodbye of seven", CoreRig.frame(7, Array(1...7)), 6),
            ("an index that does not exist", CoreRig.answer(1, [0xFE]), 9),
            ("a string that does not end", CoreRig.answer(1, [0x08, 9, 0x32]), 9),
            ("an integer that does not end", CoreRig.answer(1, [UInt8](repeating: 0xFF, count: 12)), 9),
        ] as [(String, [UInt8], UInt32)])
    func `what HTTP/2 forbids ends the connection`(what: String, bytes: [UInt8], code: UInt32) throws {
        var rig = try rig(open: 1)
        let violation = #expect(throws: HTTP2Violation.self) { _ = try rig.receive(bytes) }
        #expect(violation?.code.rawValue == code, "\(what): \(violation?.words ?? "")")
    }

    @Test func `it has to begin with settings`() {
        var core = HTTP2ClientCore<Int>(bodyLimit: 10)
        core.feed(ByteBuffer(bytes: CoreRig.frame(6, Array(1...8))))
        #expect(throws: HTTP2Violation.self) { _ = try core.next() }
    }

    @Test(arguments: [
        CoreRig.frame(6, Array(1...8)), CoreRig.settings([]), CoreRig.data(1, "", ends: false),
        CoreRig.windowUpdate(1, 1), CoreRig.frame(77, [1]), CoreRig.frame(7, CoreRig.big(9) + CoreRig.big(0)),
        CoreRig.answer(1, [0x88], ends: false),
    ])
    func `a flood of frames that bring nothing ends the connection, and what it makes us write stays small`(
        bytes: [UInt8]
    ) throws {
        var rig = try rig(open: 1)
        #expect(throws: HTTP2Violation.self) { for _ in 0...10_001 { _ = try rig.receive(bytes) } }
        #expect(rig.core.link.output.readableBytes < 200_000)
    }

    @Test func `a header block without an end ends the connection`() throws {
        var rig = try rig(open: 1)
        _ = try rig.receive(CoreRig.frame(1, on: 1, [UInt8](repeating: 0, count: 16_000)))
        let more = CoreRig.frame(9, on: 1, [UInt8](repeating: 0, count: 16_000))
        #expect(throws: HTTP2Violation.self) { for _ in 0..<3 { _ = try rig.receive(more) } }
    }
}
