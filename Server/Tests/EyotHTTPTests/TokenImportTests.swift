import EyotContract
import EyotDomain
import Testing

/// Tokens that come along from another service, and who may have them.
@Suite struct `Imported tokens` {
    private func take(_ rig: Rig, dryRun: Bool = false, _ lines: String...) async throws -> Reply {
        let reply = try await rig.call(
            .post, "/v1/tokens/import\(dryRun ? "?dryRun=true" : "")", lines.joined(separator: "\n"),
            headers: ["Content-Type": "application/x-ndjson"])
        #expect(reply.status == 200, "\(reply.text)")
        return reply
    }

    private static func start(
        _ installation: String, user: String? = nil, token: String? = nil, environment: String = "sandbox"
    ) -> String {
        let member = user.map { #","user":"\#($0)""# } ?? ""
        return #"{"installation":"\#(installation)","type":"Match","environment":"\#(environment)","#
            + #""startToken":"\#(Rig.token(token ?? installation))"\#(member)}"#
    }

    private static func card(_ installation: String, activity: String = "final", user: String? = nil) -> String {
        let member = user.map { #","user":"\#($0)""# } ?? ""
        return #"{"installation":"\#(installation)","type":"Match","activity":"\#(activity)","#
            + #""updateToken":"\#(Rig.token("u\(installation)"))"\#(member)}"#
    }

    private func devices(_ rig: Rig) async throws -> [JSONObject] {
        try await rig.call(.get, "/v1/devices")["devices"]?.array?.compactMap(\.object) ?? []
    }

    private func startable(_ rig: Rig) async throws -> Int? {
        try await rig.call(.post, "/v1/audiences/count", #"{"audience":"all","type":"Match"}"#)["eligible"]?.integer
    }

    @Test func `A phone that another service knew can be started, and a second import of it changes nothing`()
        async throws
    {
        try await Rig.run { rig in
            let first = try await take(rig, Self.start("A1", user: "anna"), "", Self.start("A2"))
            #expect(first["imported"]?.integer == 2)
            let commits = await rig.store.commits
            let again = try await take(rig, Self.start("A1", user: "anna"), Self.start("A2"))
            #expect((again["imported"]?.integer, again["unchanged"]?.integer) == (0, 2), "\(again.text)")
            #expect(await rig.store.commits - commits <= 2)
            let known = try await devices(rig)
            #expect(known.map { $0["isImported"]?.bool } == [true, true])
            #expect(known.map { $0["user"]?.string } == ["anna", nil])
            #expect(known.map { $0["osVersion"]?.string } == ["17.2", "17.2"])
            let started = try await rig.call(.post, "/v1/activities/final/start", Body.start)
            #expect(started["starting"]?.integer == 2, "\(started.text)")
        }
    }

    @Test func `A card of which nobody knows the instance is of the generation that runs`() async throws {
        try await Rig.run { rig in
            #expect(try await take(rig, Self.card("A1"))["imported"]?.integer == 1)
            _ = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            #expect(try await rig.call(.post, "/v1/activities/final/end", "{}").status == 202)
            #expect(try await rig.call(.put, "/v1/activities/final", Body.start).status == 202)
            let card = Self.card("A1").replacing(Rig.token("uA1"), with: Rig.token("new"))
            #expect(try await take(rig, card)["imported"]?.integer == 1)
            let replicas = try await rig.call(.get, "/v1/activities/final/replicas")["replicas"]?.array ?? []
            #expect(replicas.map { $0.object?["phase"]?.string } == ["live"])
        }
    }

    @Test func `A card that runs gets what is declared from then on`() async throws {
        try await Rig.run { rig in
            #expect(try await take(rig, Self.card("A1", user: "anna"))["imported"]?.integer == 1)
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            let replicas = try await rig.call(.get, "/v1/activities/final/replicas")
            #expect(replicas["replicas", "0", "phase"]?.string == "live", "\(replicas.text)")
            #expect(replicas["replicas", "0", "isBehind"]?.bool == true, "\(replicas.text)")
            #expect(try await take(rig, Self.card("A1", user: "anna"))["unchanged"]?.integer == 1)
        }
    }

    @Test func `The installation that shows the start token has it from then on, and the phone is started once`()
        async throws
    {
        try await Rig.run { rig in
            _ = try await take(rig, Self.start("A1", user: "anna", token: "phone"))
            #expect(try await startable(rig) == 1)
            // The app with the SDK registers under an id of its own, and iOS gives it the same token.
            try await rig.phone("phone", user: "anna")
            #expect(try await startable(rig) == 1)
            #expect(try await devices(rig).map { $0["isImported"]?.bool } == [nil])
            let late = try await take(rig, Self.start("A1", user: "bert", token: "phone"))
            #expect(late["registered"]?.integer == 1, "\(late.text)")
            #expect(try await devices(rig).count == 1)
            let own = try await take(rig, Self.start("phone", user: "bert", token: "other"))
            #expect(own["registered"]?.integer == 1, "\(own.text)")
            #expect(try await devices(rig).map { $0["user"]?.string } == ["anna"])
        }
    }

    @Test func `An imported phone that was started before it shows itself is not started twice`() async throws {
        try await Rig.run { rig in
            _ = try await take(rig, Self.start("A1", user: "anna", token: "phone"))
            let started = try await rig.call(.post, "/v1/activities/final/start", Body.start)
            #expect(started["starting"]?.integer == 1, "\(started.text)")
            try await rig.phone("phone", user: "anna")
            let again = try await rig.call(.post, "/v1/activities/final/start", Body.start)
            #expect(again["starting"]?.integer == 0, "\(again.text)")
            #expect(again["skipped", "alreadyActive"]?.integer == 1, "\(again.text)")
            #expect(try await devices(rig).map { $0["isImported"]?.bool } == [nil])
        }
    }

    @Test func `Cards of an imported phone go on after its start token has moved`() async throws {
        try await Rig.run { rig in
            _ = try await take(rig, Self.start("A1", user: "anna", token: "phone"), Self.card("A1"))
            try await rig.phone("phone", user: "anna")
            #expect(try await startable(rig) == 1)
            let replicas = try await rig.call(.get, "/v1/activities/final/replicas")
            #expect(replicas["replicas", "0", "phase"]?.string == "live", "\(replicas.text)")
        }
    }

    @Test func `Nobody takes an imported phone over by its id`() async throws {
        try await Rig.run { rig in
            _ = try await take(rig, Self.start("A1", user: "anna"), Self.card("A1", user: "anna"))
            let body = Rig.registration("A1", user: "anna")
            for secret in ["", "eyot_dk_" + String(repeating: "A", count: 43)] {
                let reply = try await rig.call(
                    .post, "/v1/device/register", body, key: rig.match.app,
                    headers: secret.isEmpty ? [:] : ["Eyot-Device-Secret": secret])
                #expect((reply.status, reply.code) == (409, "installationTaken"), "\(reply.text)")
            }
            #expect(try await devices(rig).map { $0["isImported"]?.bool } == [true])
        }
    }

    @Test func `Each line is judged alone, and a dry run changes nothing`() async throws {
        try await Rig.run { rig in
            #expect(try await rig.call(.post, "/v1/activities/over/start", Body.start).status == 202)
            #expect(try await rig.call(.post, "/v1/activities/over/end", "{}").status == 202)
            let commits = await rig.store.commits
            let lines = [
                Self.start("A1"), "{", #"{"installation":"A2","type":"Match"}"#, Self.card("A3", activity: "over"),
                #"{"installation":"A4","type":"Match","startToken":"xyz"}"#,
                #"{"installation":"A5","type":"Match","updateToken":"\#(Rig.token("u"))"}"#,
                Self.start("A6", environment: "test"), #"{"type":"Match","startToken":"\#(Rig.token("t"))"}"#,
            ].joined(separator: "\n")
            let tried = try await take(rig, dryRun: true, lines)
            #expect((tried["imported"]?.integer, tried["failed"]?.integer) == (1, 7), "\(tried.text)")
            // What is kept of it is who has called.
            #expect(await rig.store.commits - commits <= 1)
            #expect(try await devices(rig).isEmpty)
            let done = try await take(rig, lines)
            #expect(
                done["errors"]?.array?.compactMap { $0.object?["line"]?.integer }.sorted() == [2, 3, 4, 5, 6, 7, 8])
            #expect(
                Set(done["errors"]?.array?.compactMap { $0.object?["code"]?.string } ?? [])
                    == ["jsonInvalid", "fieldMissing", "activityEnded", "fieldInvalid"], "\(done.text)")
            #expect(try await devices(rig).count == 1)
        }
    }

    @Test func `A card of a private activity is taken for those for whom it was declared, and for no one else`()
        async throws
    {
        try await Rig.run { rig in
            let body = Body.start.replacing(#""all""#, with: #"{"user":"anna"},"public":false"#)
            #expect(try await rig.call(.post, "/v1/activities/mine/start", body).status == 202)
            let taken = try await take(
                rig, Self.card("A1", activity: "mine", user: "anna"), Self.card("A2", activity: "mine", user: "bert"),
                Self.card("A3", activity: "mine"))
            #expect((taken["imported"]?.integer, taken["failed"]?.integer) == (1, 2), "\(taken.text)")
            #expect(try await devices(rig).count == 1)
        }
    }

    @Test func `More lines than a request may have are refused as a whole`() async throws {
        try await Rig.run { rig in
            let reply = try await rig.call(
                .post, "/v1/tokens/import", String(repeating: "{}\n", count: 20_001),
                headers: ["Content-Type": "application/x-ndjson"])
            #expect((reply.status, reply.code) == (413, "bodyTooLarge"), "\(reply.text)")
        }
    }
}
