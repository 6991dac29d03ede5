import EyotCommands
import EyotContract
import EyotDomain
import Testing

/// Nothing looks at an activity here but calls, as where its app is paused.
@Suite("From a planned end on that nobody has looked at since")
struct PlannedEndTests {
    private func ended(_ rig: Rig) async throws -> String {
        let phone = try await rig.phone("one")
        let start = Body.start.replacing(#""audience""#, with: #""endsAt":"2022-12-18T15:10:00Z","audience""#)
        #expect(try await rig.call(.post, "/v1/activities/final/start", start).status == 202)
        let answer = try await rig.changes(phone.secret, Rig.card(2, "card", token: "t"))
        #expect(answer["cards", "0", "ends"]?.bool == false, "\(answer.text)")
        rig.clock.advance(600)
        return phone.secret
    }

    @Test func `a card that says where it is reached is ended by the answer`() async throws {
        try await Rig.run { rig in
            let secret = try await ended(rig)
            let answer = try await rig.changes(secret, Rig.card(3, "card", token: "u"))
            #expect(answer["cards", "0", "ends"]?.bool == true, "\(answer.text)")
        }
    }

    @Test func `no app starts a card, nor follows a channel`() async throws {
        try await Rig.run { rig in
            let secret = try await ended(rig)
            for path in ["/v1/device/card", "/v1/device/channel"] {
                let type = path.hasSuffix("card") ? #","type":"Match""# : ""
                let answer = try await rig.call(.post, path, #"{"name":"final"\#(type)}"#, key: secret)
                #expect(answer.code == "activityEnded", "\(answer.text)")
            }
        }
    }
}
