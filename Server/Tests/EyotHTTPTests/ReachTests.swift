import EyotContract
import EyotDomain
import Testing

/// A call that reaches less than it names says so, and names what was meant (R16).
@Suite("Reach")
struct ReachTests {
    /// Three phones of anna, bert and carl. Anna is a fan.
    private func run(hasHints: Bool = false, _ test: @Sendable (Rig) async throws -> Void) async throws {
        try await Rig.run(hasHints: hasHints) { rig in
            try await rig.phone("one", user: "anna", tags: ["fans"])
            try await rig.phone("two", user: "bert")
            try await rig.phone("three", user: "carl", hasStartToken: false)
            try await test(rig)
        }
    }

    private func start(_ audience: String, type: String = "Match") -> String {
        Body.start.replacing(#""all""#, with: audience).replacing(#""Match""#, with: #""\#(type)""#)
    }

    private func warnings(_ reply: Reply) -> [String] { reply["warnings"]?.array?.compactMap(\.string) ?? [] }

    @Test(
        "A start whose audience matches no device names what nobody has, and what was meant",
        arguments: [
            (#"{"tag":"fnas"}"#, "No device has the tag fnas; did you mean fans?"),
            (#"{"tag":"vip"}"#, "No device has the tag vip."),
            (#"{"user":"Anna"}"#, "No device has the user Anna; did you mean anna?"),
            (#"{"user":"ana"}"#, "No device has the user ana."),
            (#"{"and":[{"user":"anna"},{"tag":"fasn"}]}"#, "No device has the tag fasn; did you mean fans?"),
            (#"{"type":"Mtch"}"#, "No phone has registered the type Mtch; did you mean Match?"),
            (#"{"device":"77"}"#, "There is no device 77."),
            (#"{"appVersion":"1.0 (8)"}"#, "No device has the version 1.0 (8) of the app; did you mean 1.0 (7)?"),
        ])
    func nobody(audience: String, cause: String) async throws {
        try await run { rig in
            let reply = try await rig.call(.post, "/v1/activities/a/start", start(audience))
            #expect(reply.status == 202)
            #expect(warnings(reply) == ["The audience matches no device, so no card is started.", cause])
            // A trial says the same, and so does the operation.
            let trial = try await rig.call(.post, "/v1/activities/b/start?dryRun=true", start(audience))
            #expect(warnings(trial) == warnings(reply), "\(trial.text)")
        }
    }

    @Test func `An audience that matches nobody though each of its parts does says only that`() async throws {
        try await run { rig in
            let both = #"{"and":[{"user":"bert"},{"tag":"fans"}]}"#
            let reply = try await rig.call(.post, "/v1/activities/a/start", start(both))
            #expect(warnings(reply) == ["The audience matches no device, so no card is started."])
        }
    }

    @Test func `A start counts the devices that get no card, by reason`() async throws {
        try await run { rig in
            try await rig.phone("four", user: "dora", os: "16.4")
            let first = try await rig.call(.post, "/v1/activities/a/start", Body.start)
            #expect(
                warnings(first) == [
                    "2 of 4 devices in the audience get no card: 1 has no start token for the type, "
                        + "1 has an iOS before 17.2, which does not support remote starts."
                ])
            // Those that have the card are reached.
            let one = try await rig.call(.post, "/v1/activities/b/start", start(#"{"user":"anna"}"#))
            #expect(warnings(one) == [])
            let again = try await rig.call(.put, "/v1/activities/b", start(#"{"user":"anna"}"#))
            #expect(warnings(again) == [])
            let some = try await rig.call(
                .post, "/v1/activities/c/start", start(#"{"or":[{"user":"anna"},{"user":"nobody"},{"user":"bert"}]}"#))
            #expect(warnings(some) == ["1 of 3 users named has no device: nobody."])
        }
    }

    @Test func `A type that no phone has registered is named, and the one that was meant`() async throws {
        try await run { rig in
            let reply = try await rig.call(.post, "/v1/activities/a/start", start(#""all""#, type: "Macth"))
            let warnings = warnings(reply)
            #expect(
                warnings.contains("3 of 3 devices in the audience get no card: 3 have no start token for the type."))
            #expect(
                warnings.contains("No phone in the audience has registered the type Macth; did you mean Match?"),
                "\(warnings)")
        }
    }

    @Test func `An app without a phone and a misspelt type for very many phones are named, too`() async throws {
        try await Rig.run { rig in
            let none = try await rig.call(.post, "/v1/activities/a/start", Body.start)
            #expect(
                warnings(none) == [
                    "The audience matches no device, so no card is started.", "No phone has registered with the app.",
                ])
            // More than the call's own transaction tells.
            for index in 0...MemberList.inlineLimit { try await rig.phone("p\(index)") }
            let many = try await rig.call(.post, "/v1/activities/b/start", start(#""all""#, type: "Mtch"))
            #expect(many["untold"]?.integer ?? 0 > 0, "\(many.text)")
            #expect(
                warnings(many).contains("No phone in the audience has registered the type Mtch; did you mean Match?"),
                "\(many.text)")
        }
    }

    @Test func `A scope that matches no card says so`() async throws {
        try await run { rig in
            _ = try await rig.call(.post, "/v1/activities/a/start", start(#"{"user":"anna"}"#))
            func update(_ scope: String) async throws -> [String] {
                warnings(
                    try await rig.call(.post, "/v1/activities/a/update", #"{"contentState":{"n":2},"scope":\#(scope)}"#)
                )
            }
            let none = "The scope matches no card of the activity, so no phone shows this."
            #expect(try await update(#"{"user":"anna"}"#) == [])
            #expect(try await update(#"{"user":"bert"}"#) == [none])
            #expect(try await update(#"{"user":"anne"}"#) == [none, "No device has the user anne."])
            let end = try await rig.call(.post, "/v1/activities/a/end", #"{"scope":{"tag":"fan"}}"#)
            #expect(warnings(end) == [none, "No device has the tag fan; did you mean fans?"])
        }
    }

    @Test(
        "A name that no activity has is answered with the one that was meant",
        arguments: [
            ("fianl-2026", "; did you mean final-2026?"), ("Final-2026", "; did you mean final-2026?"),
            ("final-2025", ""), ("other", ""),
        ])
    func activities(name: String, hint: String) async throws {
        try await run { rig in
            _ = try await rig.call(.post, "/v1/activities/final-2026/start", start(#"{"user":"anna"}"#))
            let detail = "there is no activity \(name)\(hint)"
            for call in ["update", "end", "halt"] {
                let body = call == "halt" ? nil : #"{"contentState":{"n":2}}"#
                let reply = try await rig.call(.post, "/v1/activities/\(name)/\(call)", body)
                #expect((reply.status, reply["detail"]?.string) == (404, detail))
            }
            for path in ["", "/replicas", "/join-secret"] {
                let reply = try await rig.call(.get, "/v1/activities/\(name)\(path)")
                #expect(reply["detail"]?.string == detail)
            }
        }
    }

    @Test func `A state for everyone of an activity without cards says so`() async throws {
        try await run { rig in
            let put = try await rig.call(.put, "/v1/activities/semi", #"{"contentState":{"n":1}}"#)
            #expect(warnings(put) == ["The activity has no card yet. A phone that reports one gets this state."])
            let end = try await rig.call(.post, "/v1/activities/semi/end", "{}")
            #expect(warnings(end) == ["The activity has no card, so no phone shows the end."])
            // An activity with a single, dismissed card has no card to reach either.
            let phone = try await rig.phone("five", user: "five")
            _ = try await rig.changes(phone.secret, Rig.card(2, "A", name: "own", token: "t"))
            #expect(warnings(try await rig.call(.post, "/v1/activities/own/update", Body.update)) == [])
            _ = try await rig.changes(
                phone.secret,
                #"{"sequence":3,"kind":"cardEvent","instance":"A","name":"own","type":"Match","event":"dismissed"}"#)
            let late = try await rig.call(.post, "/v1/activities/own/update", #"{"contentState":{"n":3}}"#)
            #expect(warnings(late) == ["No card of the activity can be reached: 1 dismissed."])
        }
    }

    @Test func `An app without an APNs key says so in every answer`() async throws {
        try await run(hasHints: true) { rig in
            let key =
                "The app has no APNs key, so nothing is sent. Store an APNs key of the app for the environment. "
                + "[apnsKeyMissing]"
            let start = try await rig.call(.post, "/v1/activities/a/start", Body.start)
            #expect(warnings(start).contains(key))
            #expect(warnings(try await rig.call(.post, "/v1/activities/a/update", Body.update)).contains(key))
        }
    }

    @Test func `An end that meets starts with Apple says that their cards may still appear`() async throws {
        try await run { rig in
            for count in [1, 2, 9] {
                let name = "late-\(count)"
                for number in 1...count { try await rig.phone("\(name)-\(number)", user: "\(name)-\(number)") }
                let users = (1...count).map { #""\#(name)-\#($0)""# }.joined(separator: ",")
                let body = start(#"{"user":[\#(users)]}"#)
                #expect(try await rig.call(.post, "/v1/activities/\(name)/start", body).status == 202)
                let words =
                    count == 9 ? "Up to 9 starts have left" : count == 1 ? "1 start has left" : "2 starts have left"
                if count < 9 {
                    let planned = try await rig.call(.post, "/v1/activities/\(name)/end?dryRun=true", "{}")
                    #expect(!warnings(planned).contains { $0.contains("may still appear") }, "\(planned.text)")
                }
                try await rig.store.write { ledger in
                    let activity = try #require(
                        try ledger.newestActivity(named: name, in: AppID(rawValue: 1)))
                    for var place in try ledger.replicas(of: activity.id, after: 0, limit: 20) {
                        place.lease?.state = .accepted
                        place.lease?.sentAt = Rig.start
                        try ledger.update(place)
                    }
                }
                let end = try await rig.call(.post, "/v1/activities/\(name)/end", "{}")
                let found = warnings(end).filter { $0.contains("may still appear") }
                #expect(found.count == 1 && found.first?.hasPrefix(words) == true, "\(end.text)")
            }
        }
    }

    @Test func `A member that no build reads is named, and the one that was meant`() async throws {
        try await run { rig in
            let state =
                #"{"type":"object","properties":{"n":{"type":"integer"},"clock":{"type":"string"}},"required":["n"]}"#
            let schema = #"{"schema":{"title":"Match","attributes":{"type":"object"},"contentState":\#(state)}}"#
            #expect(try await rig.call(.put, "/v1/types/Match/schemas", schema).status < 300)
            let body = start(#"{"user":"anna"}"#).replacing(#"{"n":1}"#, with: #"{"n":1,"clokc":"1'","x":2}"#)
            let reply = try await rig.call(.post, "/v1/activities/a/start", body)
            #expect(reply.status == 202)
            let warnings = warnings(reply).filter { $0.hasPrefix("contentState") }
            #expect(
                warnings == [
                    "contentState.clokc is not a member of the type, so phones ignore it; did you mean clock?",
                    "contentState.x is not a member of the type, so phones ignore it.",
                ])
        }
    }
}
