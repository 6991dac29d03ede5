import EyotDomain
import EyotLab
import EyotStore
import EyotTestKit
import Foundation
import Testing

@testable import EyotPostgres

/// What a phone was told by one node has happened for the next node that it asks.
@Suite("Writes after an answer of another node", .timeLimit(.minutes(10)))
struct AnsweredBeforeTests {
    private func arrival(_ number: Int64) -> Arrival {
        Arrival(
            id: 0, app: AppID(rawValue: 1), device: DeviceID(rawValue: number), epoch: 1, sequence: 1,
            activity: ActivityID(rawValue: 1), ordinal: 1, instance: "i", token: nil, environment: .sandbox,
            answeredAt: Instant(second: 1), answerSecond: 1, accepted: 0, lastSecond: 0)
    }

    /// A write at the first node keeps its transaction open while the other node answers.
    @Test func `They see it, though a transaction that began before it could take them in`() async throws {
        let url = try await TestPostgres.shared.database()
        var limits = GroupCommitLimits()
        limits.time = .seconds(600)
        let (one, two) = try (
            PostgresStore(PostgresDatabase(url), limits: limits), PostgresStore(PostgresDatabase(url))
        )
        let all = one.writerCount
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let first = (0..<all).map { _ in
            Task {
                try await one.write { ledger in
                    _ = try ledger.arrivalSpan()
                    begin.yield()
                    gate.wait()
                }
            }
        }
        var seen = 0
        for await _ in began {
            seen += 1
            if seen == all { break }
        }
        let late = arrival(1)
        try await two.write { try $0.append([late]) }
        let next = Task { try await one.write { try $0.arrivalSpan() } }
        while one.waitingWrites == 0 { await Task.yield() }
        for _ in 0..<all { gate.signal() }
        #expect(try await next.value == 1)
        for write in first { try await write.value }
        await one.close()
        await two.close()
    }
}
