import HTTP2Frames
import NIOCore
import PhoneSimulator
import Testing

@testable import APNSSimulator

/// Nothing that a client says makes the core crash, tell of a request twice, or keep more than it may.
@Suite("The HTTP/2 server core, under anything") struct ServerFuzzTests {
    /// How far a run came.
    private struct Reach {
        var (steps, told, open) = (0, 0, 0)
    }

    @Test func `every request is told of once at most, and no more are open than may be`() throws {
        let reaches = try (1...300).map { try play(seed: $0) }
        // Otherwise nothing was tried.
        #expect(reaches.map(\.steps).reduce(0, +) > 5_000)
        #expect(reaches.map(\.told).reduce(0, +) > 1_000)
        #expect(reaches.contains { $0.open == 5 })
    }

    private func play(seed: UInt64) throws -> Reach {
        var dice = SeededGenerator(seed: seed, name: "client")
        var reach = Reach()
        var rig = try ServerRig(streams: 5, settings: [(4, UInt32.random(in: 0...9, using: &dice))])
        var (told, next): (Set<UInt32>, UInt32) = ([], 1)
        do {
            for _ in 0..<80 {
                if next == 1 || Bool.random(using: &dice) {
                    rig.core.feed(ByteBuffer(bytes: try rig.headers(next, ends: Bool.random(using: &dice))))
                    next += 2
                }
                rig.core.feed(ByteBuffer(bytes: bytes(upTo: next, &dice)))
                while let request = try rig.core.next() {
                    #expect(told.insert(request.stream).inserted)
                    #expect(request.body.count <= 8 && request.bodyLength >= request.body.count)
                    if Bool.random(using: &dice) { rig.answer(request.stream, 400, "no") }
                }
                if let id = told.sorted().randomElement(using: &dice) { rig.answer(id, 200, "") }
                #expect(rig.core.openStreams <= 5, "seed \(seed)")
                (reach.steps, reach.open) = (reach.steps + 1, max(reach.open, rig.core.openStreams))
            }
        } catch is HTTP2Violation {}
        reach.told = told.count
        for id in stride(from: 1, to: next, by: 2) { rig.core.reset(id, .cancel) }
        #expect(rig.core.isIdle, "seed \(seed)")
        return reach
    }

    /// Mostly frames as they should be, now and then with a byte changed, now and then noise.
    private func bytes(upTo stream: UInt32, _ dice: inout SeededGenerator) -> [UInt8] {
        let isWild = Int.random(in: 0..<50, using: &dice) == 0
        let newest = max(1, stream) - 1
        let id =
            isWild
            ? UInt32.random(in: 0...stream + 2, using: &dice) : UInt32.random(in: 0..<max(1, newest), using: &dice) | 1
        let noise = (0..<Int.random(in: 0...30, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
        var bytes: [UInt8] =
            switch Int.random(in: isWild ? 5..<12 : 0..<9, using: &dice) {
            case 0...4: ServerRig.data(id, "abcdefg", ends: Bool.random(using: &dice))
            case 5: ServerRig.reset(id)
            case 6: ServerRig.window(Bool.random(using: &dice) ? 0 : id, UInt32.random(in: 1...99, using: &dice))
            case 7:
                ServerRig.settings([
                    ([1, 3, 4].randomElement(using: &dice) ?? 4, UInt32.random(in: 0...99, using: &dice))
                ])
            case 8: ServerRig.frame(0, flags: 9, on: id, [UInt8(noise.count)] + Array("pad".utf8) + noise)
            case 9, 10: ServerRig.frame(1, flags: 5, on: id, noise)
            case 11:
                ServerRig.frame(
                    UInt8.random(in: 0...12, using: &dice), flags: UInt8.random(in: 0...255, using: &dice), on: id,
                    noise)
            default: ServerRig.frame(6, Array(1...8))
            }
        if Int.random(in: 0..<150, using: &dice) == 0, !bytes.isEmpty {
            bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
        }
        return bytes
    }
}
