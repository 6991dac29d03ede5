import APNSWire
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotCommands

@Suite("The log of arrivals of several apps")
struct MergeRoundTests {
    private let ledger = MemoryLedger()
    private let now = Instant(second: 1_700_000_000)

    private func app(_ name: String) -> AppID {
        ledger.insertApp(bundleID: name, name: name, publicKey: name, at: now).id
    }

    private func arrival(of app: AppID, _ activity: Int64, _ ordinal: Int, device: Int64) throws -> Arrival {
        Arrival(
            id: 0, app: app, device: DeviceID(rawValue: device), epoch: 1, sequence: 1,
            activity: ActivityID(rawValue: activity), ordinal: ordinal, instance: "card-\(device)",
            token: PushToken(bytes: [UInt8(device)]), environment: .sandbox, answeredAt: now,
            answerSecond: now.second, accepted: 0, lastSecond: 0)
    }

    /// Arrivals of one app and then of another, in no order; the log numbers them from 1 on.
    private func fill() throws -> (AppID, AppID) {
        let (one, two) = (app("one"), app("two"))
        let places: [(AppID, Int64, Int)] = [
            (one, 2, 1), (one, 1, 9), (one, 1, 3), (one, 2, 2), (one, 1, 1), (two, 3, 8), (two, 3, 4),
        ]
        ledger.append(
            try places.enumerated().map { index, place in
                try arrival(of: place.0, place.1, place.2, device: Int64(index + 1))
            })
        return (one, two)
    }

    private func limits(_ change: (inout Registrations.Limits) -> Void) -> Registrations.Limits {
        var limits = Registrations.Limits()
        change(&limits)
        return limits
    }

    @Test func `are merged by turns of apps, each in the order of the ordinals, and removed as they came`() throws {
        _ = try fill()
        let round = try MergeRound(ledger, limits: limits { ($0.merge, $0.remove) = (2, 3) })
        #expect(round.merges == [[5, 3], [7, 6], [2, 1], [4]])
        #expect(round.removals == [[1, 2, 3], [4, 5, 6], [7]])
        #expect(!round.isEmpty)
    }

    @Test func `have a shorter round where there are several apps, with an equal share of it for each`() throws {
        _ = try fill()
        let limits = limits { ($0.merge, $0.round, $0.sharedRound) = (9, 5, 4) }
        let shared = try MergeRound(ledger, limits: limits)
        #expect(shared.merges == [[2, 1], [7, 6]], "the first two of each in the log")
        ledger.removeArrivals([6, 7])
        #expect(try MergeRound(ledger, limits: limits).merges == [[5, 3, 2, 1, 4]])
        ledger.removeArrivals(Array(1...5))
        #expect(try MergeRound(ledger, limits: limits).isEmpty)
    }

    @Test func `are divided among nodes by activity, and those of one device stay together in their order`() throws {
        let (one, _) = try fill()
        // A second card of the device of the third arrival, which has the first activity.
        ledger.append([try arrival(of: one, 2, 5, device: 3)])
        let (odd, even) = try (
            MergeRound(ledger, limits: limits { _ in }) { !$0.rawValue.isMultiple(of: 2) },
            MergeRound(ledger, limits: limits { _ in }) { $0.rawValue.isMultiple(of: 2) }
        )
        #expect(odd.merges == [[3, 8, 5, 2], [7, 6]])
        #expect(even.merges == [[1, 4]])
        #expect(odd.removals.flatMap(\.self) == [2, 3, 5, 6, 7, 8])
        #expect((even.count, even.apps) == (2, 1))
    }

    @Test func `are applied at once beyond the limit of the log, or of their app, whose flood leaves room for others`()
        throws
    {
        let (one, two) = (app("one"), app("two"))
        let room = RoomInLog(ledger: ledger, limits: limits { ($0.log, $0.logOfApp) = (6, 4) })
        func append(_ reports: [AnswerArrivals.Answered?]) throws -> [AnswerArrivals.Answered?] {
            let taken = try room(for: reports)
            ledger.append(taken.compactMap { $0?.arrival })
            return taken
        }
        var device: Int64 = 0
        func report(_ app: AppID) throws -> AnswerArrivals.Answered {
            device += 1
            return AnswerArrivals.Answered(
                arrival: try arrival(of: app, 1, 1, device: device),
                answer: DeviceAnswer(applied: Int(device), cards: []))
        }
        #expect(try append([report(one), nil, report(one)]).map { $0?.answer.applied } == [1, nil, 2])
        #expect(try append([report(one), report(one), report(two)]).map { $0?.answer.applied } == [nil, nil, 5])
        #expect(try append([report(one)]).map { $0?.answer.applied } == [6])
        #expect(try append([report(two), report(two), report(two)]).map { $0?.answer.applied } == [nil, nil, nil])
        #expect(ledger.arrivalSpan() == 4)
    }
}
