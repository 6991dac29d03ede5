import APNSWire
import EyotContract
import EyotDomain
import Testing

/// What is heard of a card when its place has gone on already.
@Suite("Late evidence")
struct LateEvidenceTests {
    private let now = Instant(second: 1_700_000_000) + 0.5

    private func place(_ phase: Replica.Phase, _ state: Lease.State? = nil) -> Replica {
        Replica(
            activity: ActivityID(rawValue: 1), ordinal: 1, device: DeviceID(rawValue: 1), phase: phase,
            lease: state.map { Lease(state: $0, version: 1) }, createdAt: now)
    }

    private func token(_ byte: UInt8) throws -> PushToken { try #require(PushToken(bytes: [byte])) }

    @Test(arguments: [PushVerdict.accepted, .unknown, .refused(.badDeviceToken)])
    func `An alert that may have sounded by a former token is not given by the new one`(verdict: PushVerdict) throws {
        var activity = Activity(
            id: ActivityID(rawValue: 1), app: AppID(rawValue: 1), name: "m", generation: 1, type: "Match",
            createdAt: now)
        let alert = Alert(body: ["title": "Goal"], expiresAt: now + 300)
        let declaration = activity.declare(.state, Content(state: ["n": 1], alert: alert), at: now)
        var replica = place(.waitingForToken)
        _ = replica.set(try token(1), environment: .sandbox, at: now)
        let push = Push(event: .update, version: 1, stateVersion: 1, alertVersion: 1, priority: .immediate)
        let sent = SentPush(ordinal: 1, push: push, tokenVersion: 1, environment: .sandbox)
        _ = replica.set(try token(2), environment: .sandbox, at: now)
        var tally = Tally()
        _ = replica.settle(
            sent, PushAnswer(verdict, at: now), tally: &tally, declaration: { $0 == 1 ? declaration : nil })
        #expect(replica.alertedVersion == (verdict.reason == nil ? 1 : 0))
        #expect(replica.acceptedVersion == 0)
    }

    @Test(arguments: [(Replica.Phase.waitingForToken, 1), (.live, 1), (.dismissed, 0)])
    func `A start whose card was reported before the answer is accepted, and no update`(
        phase: Replica.Phase, count: Int
    ) {
        var replica = place(phase)
        let push = Push(event: .start, version: 1, stateVersion: 1, alertVersion: 1, priority: .immediate)
        let sent = SentPush(ordinal: 1, push: push, tokenVersion: 1, environment: .sandbox)
        var tally = Tally()
        _ = replica.settle(sent, PushAnswer(.accepted, at: now), tally: &tally, declaration: { _ in nil })
        #expect((tally.started, tally.accepted) == (count, count))
    }

    @Test func `A card that ended keeps no token that is dead`() throws {
        var replica = place(.waitingForToken)
        _ = replica.set(try token(1), environment: .sandbox, at: now)
        replica.phase = .dead(TokenDeath(reason: .unregistered, isQuarantine: false))
        let isNews = replica.report(.ended)
        #expect(isNews)
        #expect(replica.phase == .ended && replica.token == nil)
    }

    @Test(arguments: [
        Replica.Phase.notStarted(.expiredAtApple), .notStarted(.noCardHeardOf), .notStarted(.unknownAfterCrash),
    ])
    func `A start that counts as lost is closed by its card under a newer generation`(lost: Replica.Phase) {
        var replica = place(lost)
        let isClosed = replica.abandonLostStart()
        #expect(isClosed)
        #expect(replica.phase == .notStarted(.givenUp))
    }

    @Test(arguments: [Lease.State.planned, .sent, .accepted, .unknown])
    func `A start is closed by its card under a newer generation where Apple may have taken it`(state: Lease.State) {
        var replica = place(.starting, state)
        let isClosed = replica.abandonLostStart()
        #expect(isClosed == (state == .accepted || state == .unknown))
        #expect((replica.phase == .starting) == (state == .planned || state == .sent))
    }
}
