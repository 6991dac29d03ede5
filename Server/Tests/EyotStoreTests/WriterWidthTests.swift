import Testing

@testable import EyotStore

@Suite("Writers at the same time")
struct WriterWidthTests {
    @Test func `A conflict halves them, down to one`() {
        var width = WriterWidth(upTo: 9)
        let steps = (0..<4).map { _ in
            width.noteConflict()
            return width.present
        }
        #expect(steps == [4, 2, 1, 1])
    }

    @Test func `Commits without a conflict raise them by one, up to all`() {
        var width = WriterWidth(upTo: 3)
        width.noteConflict()
        for _ in 1..<WriterWidth.calm { width.noteCommit() }
        #expect(width.present == 1)
        width.noteCommit()
        #expect(width.present == 2)
        for _ in 1..<2 * WriterWidth.calm { width.noteCommit() }
        #expect(width.present == 2)
        for _ in 0..<999 { width.noteCommit() }
        #expect(width.present == 3)
    }
}
