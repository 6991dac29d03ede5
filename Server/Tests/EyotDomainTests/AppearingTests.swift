import APNSWire
import EyotContract
import EyotDomain
import Testing

@Suite("How a card appears")
struct AppearingTests {
    private let now = Instant(second: 1_700_000_000) + 0.5

    /// Makes a replica without a declaration. Its start has not left and another generation's start led to the card, or
    /// its app has started the card.
    private func appeared(inPlaceOfStart: Bool) throws -> Replica {
        var replica = Replica(
            activity: ActivityID(rawValue: 1), ordinal: 1, device: DeviceID(rawValue: 1),
            phase: inPlaceOfStart ? .starting : .waitingForToken,
            lease: inPlaceOfStart ? Lease(version: 1) : nil, createdAt: now)
        replica.appear("card", at: now)
        let token = try #require(PushToken(bytes: [1]))
        _ = replica.set(token, environment: .sandbox, at: now)
        return replica
    }

    @Test(arguments: [true, false])
    func `A card is not pushed in the second in which its phone first speaks of it`(inPlaceOfStart: Bool) throws {
        var activity = Activity(
            id: ActivityID(rawValue: 1), app: AppID(rawValue: 1), name: "m", generation: 2, type: "Match",
            createdAt: now)
        let declaration = activity.declare(.state, Content(state: ["n": 1]), at: now)
        let due = { (moment: Instant) in
            try appeared(inPlaceOfStart: inPlaceOfStart).due(
                in: activity, at: moment, profile: TypeProfile(app: AppID(rawValue: 1), type: "Match"),
                declaration: { $0 == declaration.version ? declaration : nil })
        }
        #expect(try due(now + 0.1) == .later(Instant(second: now.second + 1)))
        guard case .push = try due(now + 1) else {
            Issue.record("it is not pushed a second later")
            return
        }
    }

    @Test(arguments: [true, false])
    func `The alert of a further end sounds on the card that has the name`(hasLaterCard: Bool) throws {
        var activity = Activity(
            id: ActivityID(rawValue: 1), app: AppID(rawValue: 1), name: "m", generation: 1, type: "Match",
            createdAt: now)
        var content = Content(state: ["n": 1])
        _ = activity.declare(.end, content, at: now)
        content.alert = Alert(body: ["title": "t", "body": "b"], expiresAt: now + 900)
        let declaration = activity.declare(.end, content, at: now)
        var replica = try appeared(inPlaceOfStart: false)
        (replica.phase, replica.acceptedVersion) = (.ended, 1)
        let due = try replica.due(
            in: activity, at: now + 1, profile: TypeProfile(app: AppID(rawValue: 1), type: "Match"),
            phone: PhoneLookup(hasLaterCard: { hasLaterCard }),
            declaration: { $0 == declaration.version ? declaration : nil })
        guard case .push(let push) = due else {
            Issue.record("\(due)")
            return
        }
        #expect(push.event == .end && push.alertVersion == (hasLaterCard ? 0 : 2))
    }
}
