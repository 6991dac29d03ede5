import EyotContract
import EyotDomain
import Testing

/// R16: only a call that repeats everything is a repetition, and a start says that no card shows its state.
@Suite("Repetitions")
struct RepetitionTests {
    private static let final = "/v1/activities/final"

    private func body(attributes: String = "ARG", state: Int = 1, alert: String = "Kick-off") -> String {
        #"{"type":"Match","attributes":{"home":"\#(attributes)"},"contentState":{"n":\#(state)},"#
            + #""start":{"alert":{"title":"\#(alert)","body":"b"}},"audience":"all"}"#
    }

    /// The attributes and the alert that a start of the newest state would have.
    private func newest(_ rig: Rig) async throws -> (attributes: String?, alert: AlertText?) {
        try await rig.store.read { ledger in
            let newest = try ledger.newestActivity(named: "final", in: AppID(rawValue: 1))
            let activity = try #require(newest)
            let declaration = try ledger.declaration(activity.declaredState, of: activity.id)
            return (
                declaration?.attributes?.object?["home"]?.string, declaration?.content.startAlert
            )
        }
    }

    @Test func `A PUT with other attributes, another start alert or another state is no repetition`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            #expect(try await rig.call(.put, Self.final, body())["outcome"]?.string == "applied")
            #expect(try await rig.call(.put, Self.final, body())["outcome"]?.string == "unchanged")
            for changed in [body(attributes: "FRA"), body(alert: "Soon"), body(state: 2)] {
                #expect(try await rig.call(.put, Self.final, changed)["outcome"]?.string == "applied")
                #expect(try await rig.call(.put, Self.final, changed)["outcome"]?.string == "unchanged")
            }
            // What a repetition leaves out it does not change.
            let less = try await rig.call(.put, Self.final, #"{"contentState":{"n":2}}"#)
            #expect(less["outcome"]?.string == "unchanged", "\(less.text)")
        }
    }

    @Test func `A phone that comes later is started with what the newest call says`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            _ = try await rig.call(.put, Self.final, body())
            try await rig.phone("two")
            let reply = try await rig.call(.put, Self.final, body(attributes: "FRA", alert: "Soon"))
            #expect(reply["starting"]?.integer == 1)
            let (attributes, alert) = try await newest(rig)
            #expect(attributes == "FRA")
            #expect(alert == AlertText(["title": "Soon", "body": "b"]))
        }
    }

    @Test func `A start for phones that have the card says what would show its state`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            try await rig.phone("two")
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            let again = try await rig.call(.post, "\(Self.final)/start", Body.start)
            #expect(again["outcome"]?.string == "unchanged", "\(again.text)")
            #expect(again["warnings"] == [])
            let other = Body.start.replacing(#"{"n":1}"#, with: #"{"n":2}"#)
            let reply = try await rig.call(.post, "\(Self.final)/start", other)
            #expect(reply["outcome"]?.string == "applied", "\(reply.text)")
            #expect(reply["starting"]?.integer == 0)
            #expect(
                reply["warnings"] == [
                    """
                    2 of 2 devices have the card already: update the activity, or put it, to show this state on \
                    them.
                    """
                ], "\(reply.text)")
        }
    }

    @Test func `An update of many cards that are all out of reach says so`() async throws {
        try await Rig.run { rig in
            for number in 1...12 {
                let phone = try await rig.phone("phone-\(number)")
                let ended =
                    #"{"sequence":3,"kind":"cardEvent","instance":"i\#(number)","name":"final","type":"Match","event":"dismissed"}"#
                _ = try await rig.changes(phone.secret, Rig.card(2, "i\(number)", token: "\(number)"), ended)
            }
            let reply = try await rig.call(.post, "\(Self.final)/update", Body.update)
            #expect(reply["warnings"] == ["No card of the activity can be reached: 12 dismissed."], "\(reply.text)")
        }
    }
}
