import EyotDomain
import Testing

@Suite("Lists of members in little room")
struct MemberRunsTests {
    private func read(_ chunks: [MemberRuns], after former: Int64 = 0) -> [Int64] {
        chunks.flatMap { MemberRuns.numbers(in: $0.bytes, after: former, limit: .max) ?? [] }
    }

    @Test(
        "Numbers come back as they were",
        arguments: [
            [], [1], [Int64.max], [1, 2, 3, 4], [1, 3, 5], [7, 8, 300, 301, 70_000],
            (1...40_000).map { $0 * 3 }, Array(1...40_000), (1...20_000).map { $0 + $0 / 7 * 1_000_000_007 },
        ] as [[Int64]])
    func roundTrip(_ numbers: [Int64]) {
        let chunks = MemberRuns.chunks(of: numbers)
        #expect(read(chunks) == numbers)
        #expect(chunks.map(\.count).reduce(0, +) == numbers.count)
        #expect(chunks.last?.last == numbers.last)
        #expect(chunks.allSatisfy { $0.count <= MemberRuns.capacity })
    }

    @Test func `A million that lie together take a few bytes, and every other one two bytes each`() {
        let dense = MemberRuns.chunks(of: 1...1_000_000)
        #expect(dense.map(\.bytes.count).reduce(0, +) < 1_000)
        let sparse = MemberRuns.chunks(of: (1...500_000).map { $0 * 2 })
        #expect(sparse.map(\.bytes.count).reduce(0, +) <= 1_000_500)
    }

    @Test func `Reading goes on after a number, up to a limit`() throws {
        let chunk = try #require(MemberRuns.chunks(of: [2, 3, 4, 9, 20, 21]).first)
        #expect(MemberRuns.numbers(in: chunk.bytes, after: 3, limit: 3) == [4, 9, 20])
        #expect(MemberRuns.numbers(in: chunk.bytes, after: 21, limit: 3) == [])
    }

    @Test(
        "Bytes that nobody wrote are refused",
        arguments: [[0x80], [0x01], [0x00, 0x00], [UInt8](repeating: 0xFF, count: 20)] as [[UInt8]])
    func broken(_ bytes: [UInt8]) {
        #expect(MemberRuns.numbers(in: bytes, after: 0, limit: 9) == nil)
    }
}
