import HTTP2Frames
import NIOCore
import PhoneSimulator
import Testing

@testable import APNSSender

/// Nothing that a server says makes the core crash, settle a request twice, or forget one.
@Suite("The HTTP/2 core, under anything") struct CoreFuzzTests {
    @Test(arguments: 1...300 as ClosedRange<UInt64>)
    func `every request is told of once at most, and the others are still open`(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed, name: "server")
        var rig = try CoreRig(settings: [(3, 20), (4, UInt32.random(in: 0...40, using: &dice))])
        var (opened, told) = (0, [Int: Int]())
        do {
            for _ in 0..<60 {
                if rig.core.room(of: 20) > 0, Bool.random(using: &dice) {
                    opened += 1
                    rig.open(opened, body: [UInt8](repeating: 1, count: Int.random(in: 0...60, using: &dice)))
                }
                rig.core.feed(ByteBuffer(bytes: bytes(upTo: UInt32(2 * opened + 3), &dice)))
                while let event = try rig.core.next() {
                    for tag in tags(of: event) { told[tag, default: 0] += 1 }
                }
            }
        } catch {
            // It broke HTTP/2; what is open is given up below.
        }
        for tag in rig.core.abandonAll() { told[tag, default: 0] += 1 }
        #expect(told.values.allSatisfy { $0 == 1 })
        #expect(told.count == opened)
    }

    private func tags(of event: HTTP2ClientCore<Int>.Event) -> [Int] {
        switch event {
        case .ready: []
        case .answered(let tag, _, _), .reset(let tag, _): [tag]
        case .leaving(let tags, _): tags
        }
    }

    /// Mostly frames as they should be, now and then with a byte changed, now and then noise.
    private func bytes(upTo stream: UInt32, _ dice: inout SeededGenerator) -> [UInt8] {
        let id = UInt32.random(in: 0...stream, using: &dice) | (Int.random(in: 0..<9, using: &dice) == 0 ? 0 : 1)
        let noise = (0..<Int.random(in: 0...12, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
        var bytes: [UInt8] =
            switch Int.random(in: 0..<14, using: &dice) {
            case 0...4: CoreRig.answer(id, [0x88])
            case 5: CoreRig.answer(id, [0x8C], ends: false)
            case 6: CoreRig.data(id, "{}", ends: Bool.random(using: &dice))
            case 7: CoreRig.frame(3, on: id, CoreRig.big(UInt32.random(in: 0...13, using: &dice)))
            case 8: CoreRig.windowUpdate(Bool.random(using: &dice) ? 0 : id, UInt32.random(in: 1...99, using: &dice))
            case 9:
                CoreRig.settings([(UInt16.random(in: 1...6, using: &dice), UInt32.random(in: 0...99, using: &dice))])
            case 10: CoreRig.frame(7, CoreRig.big(id) + CoreRig.big(0) + noise)
            case 11: CoreRig.answer(id, noise)
            case 12:
                CoreRig.frame(
                    UInt8.random(in: 0...12, using: &dice), flags: UInt8.random(in: 0...255, using: &dice), on: id,
                    noise)
            default: CoreRig.frame(6, Array(1...8))
            }
        if Int.random(in: 0..<30, using: &dice) == 0, !bytes.isEmpty {
            bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
        }
        return bytes
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `the table of streams is a dictionary`(seed: UInt64) {
        var dice = SeededGenerator(seed: seed, name: "table")
        var (table, dictionary) = (StreamTable<Int>(), [UInt32: Int]())
        var next: UInt32 = 1
        for step in 0..<4_000 {
            if Int.random(in: 0..<100, using: &dice) < (step % 1_000 < 500 ? 60 : 40) {
                table.insert(step, next)
                dictionary[next] = step
                next += 2
            } else {
                // The oldest id stays for long, like a stream without an answer. Meanwhile the ids wrap around the
                // table several times.
                let keys = dictionary.keys.sorted().dropFirst(step % 50 == 0 ? 0 : 1)
                let id = keys.randomElement(using: &dice) ?? next
                #expect(table.remove(id) == dictionary.removeValue(forKey: id))
                #expect(table.remove(id) == nil)
                guard let other = keys.first(where: { $0 != id }) else { continue }
                table.change(other) { $0 += 1 }
                dictionary[other]? += 1
            }
            #expect(table.count == dictionary.count)
        }
        #expect(table.ids { _, _ in true } == dictionary.keys.sorted())
    }
}
