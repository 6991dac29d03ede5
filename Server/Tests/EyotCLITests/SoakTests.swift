import EyotBench
import EyotSimulation
import Testing

@Suite struct `A soak` {
    @Test func `runs at least one seed for each core, and nothing breaks`() async throws {
        let outcome = try await Soak(firstSeed: 1, seconds: 0).run { _ in }
        #expect(outcome.seeds > 0)
        #expect(outcome.complaint == nil)
    }

    @Test func `ends where a rule breaks, and tells the story`() async throws {
        let outcome = try await Soak(firstSeed: 1, seconds: nil, planting: .endsForgotten).run { _ in }
        let complaint = try #require(outcome.complaint)
        #expect(complaint.contains("breaks rules; so does seed "))
        #expect(complaint.contains("!! R5"))
    }
}
