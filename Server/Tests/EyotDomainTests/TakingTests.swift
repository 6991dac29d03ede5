import EyotContract
import EyotDomain
import Testing

@Suite("What a card is told of declarations that are for some")
struct TakingTests {
    private let now = Instant(second: 1_700_000_000)

    @Test("The end that was declared first stands, whichever it is told of first (R5)", arguments: [[2, 3], [3, 2]])
    func keepsFirstEnd(_ order: [Int]) {
        let activity = Activity(
            id: ActivityID(rawValue: 1), app: AppID(rawValue: 1), name: "m", generation: 1, type: "Match",
            createdAt: now)
        var replica = Replica(
            activity: activity.id, ordinal: 1, device: DeviceID(rawValue: 1), phase: .waitingForToken, createdAt: now)
        for version in order {
            replica.take(
                Declaration(
                    activity: activity.id, version: version, kind: .end, scope: .members(count: 1), content: Content(),
                    acceptedAt: now), in: activity)
        }
        #expect(replica.ending == .declared(version: 2))
    }
}
