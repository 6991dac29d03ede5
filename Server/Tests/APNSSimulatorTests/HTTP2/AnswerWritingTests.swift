import HTTP2Frames
import Testing

@testable import APNSSimulator

@Suite("What the HTTP/2 server core writes") struct AnswerWritingTests {
    @Test(arguments: [200, 400, 403, 404, 410, 413, 429, 500, 503])
    func `answers of every status are read by others`(status: Int) throws {
        var rig = try ServerRig()
        #expect(try rig.receive(rig.headers(1), rig.headers(3)).count == 2)
        rig.answer(3, status, "{}")
        rig.answer(1, status)
        let first = "3: :status=\(status) apns-id=x"
        #expect(try rig.words() == [first, "3: {}.", "1: :status=\(status) apns-id=x."])
        #expect(rig.core.isIdle)
        rig.answer(1)
        #expect(try rig.words().isEmpty, "nobody waits any more")
    }

    /// A server must announce the smaller table to a client that asked for one (RFC 7541, section 4.2). Once is enough.
    @Test func `the first block says that the table is empty`() throws {
        var rig = try ServerRig(settings: [(1, 0)])
        #expect(try rig.receive(rig.headers(1), rig.headers(3)).count == 2)
        rig.answer(1)
        rig.answer(3)
        #expect(rig.frames().map { Array($0.payload.prefix(2)) } == [[0x20, 0x88], [0x88, 0x00]])
    }

    @Test func `bodies wait for the windows of stream and connection`() throws {
        var rig = try ServerRig(settings: [(4, 2)])
        #expect(try rig.receive(rig.headers(1), rig.headers(3)).count == 2)
        rig.answer(1, 200, "abcdef")
        rig.answer(3, 200, "gh")
        #expect(try rig.words() == ["1: :status=200 apns-id=x", "1: ab", "3: :status=200 apns-id=x", "3: gh."])
        #expect(!rig.core.isIdle)
        _ = try rig.receive(ServerRig.window(1, 3))
        #expect(try rig.words() == ["1: cde"])
        _ = try rig.receive(ServerRig.settings([(4, 3)]))
        #expect(try rig.words().last == "1: f.")
        #expect(rig.core.isIdle)
    }

    @Test func `a window that grows before the answer is there counts`() throws {
        var rig = try ServerRig(settings: [(4, 0)])
        let bytes = try rig.headers(1, ends: false) + ServerRig.window(1, 2) + ServerRig.data(1, "x")
        #expect(try rig.receive(bytes).count == 1)
        _ = try rig.receive(ServerRig.window(1, 2))
        rig.answer(1, 200, "abcd")
        #expect(try rig.words() == ["1: :status=200 apns-id=x", "1: abcd."])
    }

    @Test func `the answer to a body that was cut off ends with a reset, and nothing comes behind it`() throws {
        var rig = try ServerRig(settings: [(4, 1)])
        let long = ServerRig.data(1, String(repeating: "x", count: 30), ends: false)
        #expect(try rig.receive(rig.headers(1, ends: false), long).count == 1)
        rig.answer(1, 413, "no")
        #expect(try rig.words() == ["1: :status=413 apns-id=x", "1: n", "1: reset 0"])
        _ = try rig.receive(ServerRig.window(1, 10))
        #expect(try rig.words().isEmpty)
        #expect(rig.core.isIdle)
    }

    @Test func `what a client gives up is not answered, and what waits of it is dropped`() throws {
        var rig = try ServerRig(settings: [(4, 0)])
        #expect(try rig.receive(rig.headers(1), rig.headers(3)).count == 2)
        rig.answer(3, 400, "no")
        _ = try rig.receive(ServerRig.reset(1), ServerRig.reset(3))
        rig.answer(1)
        #expect(try rig.words() == ["3: :status=400 apns-id=x"])
        #expect(rig.core.isIdle)
    }

    @Test func `after a goodbye older requests are answered, and newer ones are passed over`() throws {
        var rig = try ServerRig(settings: [(4, 0)])
        #expect(try rig.receive(rig.headers(1), rig.headers(3), rig.headers(5)).count == 3)
        rig.answer(5, 400, "no")
        rig.core.sayGoodbye(last: 1, .noError, words: "bye")
        #expect(try rig.receive(rig.headers(7)).isEmpty)
        rig.answer(3)
        rig.answer(1)
        #expect(try rig.words() == ["5: :status=400 apns-id=x", "goodbye after 1", "1: :status=200 apns-id=x."])
        #expect(rig.core.isIdle)
    }
}
