import EyotContract
import Testing

@testable import EyotDomain

@Suite("Facts of an app")
struct AppFactsTests {
    /// The members of which a change is an event, each with a change.
    private static let recorded: [String: @Sendable (inout App) -> Void] = [
        "haltedAt": { $0.haltedAt = Instant(microseconds: 5) },
        "haltedTypes": { $0.haltedTypes["Match"] = Instant(microseconds: 5) },
        "failures": {
            $0.note(
                AppleFailure(reason: nil, since: Instant(microseconds: 5), last: Instant(microseconds: 5)), in: .sandbox
            )
        },
        "pauses": { $0.pauses[.sandbox] = AppPause(reason: .topicDisallowed, since: Instant(microseconds: 5)) },
    ]
    /// The members of which a change is none: names, keys and settings, which the audit log has, and how far the trials
    /// of a pause are. An app that is removed takes its events along.
    private static let unrecorded: Set<String> = [
        "id", "bundleID", "name", "publicKey", "renewedAt", "trials", "identityMode", "opensActivities", "openNames",
        "createdAt", "removedAt", "proofTerms",
    ]

    private let app = App(
        id: AppID(rawValue: 1), bundleID: "org.example.match", name: "Match", publicKey: "k",
        createdAt: Instant(microseconds: 0))

    @Test func `each member of an app is known to make an event, or to make none`() {
        let members = Set(Mirror(reflecting: app).children.compactMap(\.label))
        #expect(members == Self.unrecorded.union(Self.recorded.keys))
    }

    @Test func `what stops an app is one fact at its begin and one at its end`() {
        for (member, change) in Self.recorded {
            var changed = app
            change(&changed)
            #expect(changed.facts(since: app).count == 1, "\(member)")
            #expect(app.facts(since: changed).count == 1, "\(member)")
            #expect(changed.facts(since: changed) == [], "\(member)")
        }
    }

    @Test func `a halt of types names each of them`() {
        var changed = app
        changed.haltedTypes = ["Match": Instant(microseconds: 1), "Ride": Instant(microseconds: 2)]
        #expect(
            changed.facts(since: app) == [Fact(.typeHalted, reason: "Match"), Fact(.typeHalted, reason: "Ride")])
        var less = changed
        less.haltedTypes["Match"] = nil
        #expect(less.facts(since: changed) == [Fact(.typeResumed, reason: "Match")])
    }
}
