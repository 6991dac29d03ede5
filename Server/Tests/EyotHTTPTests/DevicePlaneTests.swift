import EyotContract
import EyotDomain
import EyotHTTP
import EyotTestKit
import Testing

@Suite("The device plane")
struct DevicePlaneTests {
    @Test func `A phone registers, reports, and is answered what its card should show`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "anna", tags: ["fans"])
            #expect(phone.secret.hasPrefix("eyot_dk_"))
            _ = try await rig.call(.post, "/v1/activities/final/start", Body.start)
            let seen = try await rig.changes(
                phone.secret,
                #"{"sequence":2,"kind":"cardSeen","instance":"c1","name":"final","type":"Match"}"#)
            #expect(seen["applied"]?.integer == 2)
            #expect(seen["cards", "0", "contentState", "n"]?.integer == 1)
            #expect(seen["cards", "0", "version"]?.integer == 1)
            _ = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            rig.clock.advance(1)
            let token = try await rig.changes(phone.secret, Rig.card(3, "c1", token: "t1"))
            #expect(token["cards", "0", "contentState", "n"]?.integer == 2)
            #expect(token["cards", "0", "ends"]?.bool == false)
            #expect(token["cards", "0", "timestamp"]?.integer == Rig.start.second + 1)
            _ = try await rig.call(.post, "/v1/activities/final/end", #"{"contentState":{"n":3}}"#)
            let ended = try await rig.changes(phone.secret, Rig.card(4, "c1", token: "t2"))
            #expect(ended["cards", "0", "ends"]?.bool == true)
            #expect(ended["cards", "0", "contentState", "n"]?.integer == 3)
        }
    }

    @Test func `Phones that are refused together are asked to come again at different times`() async throws {
        try await Rig.run(over: BusyStore.init) { rig, store in
            let phone = try await rig.phone("one")
            var asked: Set<Int> = []
            for sequence in 2...31 {
                store.refuseNext()
                let refused = try await rig.changes(phone.secret, Rig.card(sequence, "c1", token: "t1"))
                #expect(refused.status == 503)
                #expect(refused.code == "unavailable")
                asked.insert(try #require(refused.headers[.retryAfter].flatMap { Int($0) }))
            }
            // Thirty equal draws of ten would come once in 10^29 runs.
            #expect(asked.count > 1)
            #expect(asked.isSubset(of: Problem.phonesRetryAfter))
        }
    }

    @Test func `What an app says of its installation chooses it, and is listed`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one")
            let body =
                #"{"sequence":2,"kind":"profile","tags":["fans"],"attributes":{"team":"ARG","seats":2,"vip":true}}"#
            #expect(try await rig.changes(phone.secret, body)["applied"]?.integer == 2)
            let list = try await rig.call(.get, "/v1/devices?tag=fans")
            #expect(list["devices", "0", "tags", "0"]?.string == "fans")
            #expect(list["devices", "0", "attributes", "team"]?.string == "ARG")
            #expect(list["devices", "0", "attributes", "seats"]?.integer == 2)
            #expect(list["devices", "0", "attributes", "vip"]?.bool == true)
            for wrong in [#""tags":[""],"attributes":{}"#, #""tags":[],"attributes":{"a":[1]}"#, #""tags":[]"#] {
                let reply = try await rig.changes(phone.secret, #"{"sequence":3,"kind":"profile",\#(wrong)}"#)
                #expect(reply.status == 422)
            }
        }
    }

    @Test func `An app asks what a card shows that it starts by itself`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one")
            func ask(_ type: String = "Match") async throws -> Reply {
                try await rig.call(
                    .post, "/v1/device/card", #"{"name":"final","type":"\#(type)"}"#, key: phone.secret)
            }
            #expect(try await ask().code == "activityUnknown")
            _ = try await rig.call(.post, "/v1/activities/final/start", Body.start)
            _ = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            let advice = try await ask()
            #expect(advice["version"]?.integer == 2)
            #expect(advice["contentState", "n"]?.integer == 2)
            #expect(advice["attributes", "home"]?.string == "ARG")
            #expect(try await ask("Other").code == "typeMismatch")
            _ = try await rig.call(.post, "/v1/activities/final/halt", "{}")
            #expect(try await ask().code == "activityHalted")
            _ = try await rig.call(.post, "/v1/activities/final/resume", "{}")
            _ = try await rig.call(.post, "/v1/activities/final/end", "{}")
            #expect(try await ask().code == "activityEnded")
        }
    }

    @Test func `An installation registers again with its secret only`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one")
            for headers in [[:], ["Eyot-Device-Secret": "nonsense"]] as [[String: String]] {
                let taken = try await rig.call(
                    .post, "/v1/device/register", Rig.registration("one"), key: rig.match.app, headers: headers)
                #expect(taken.status == 409)
                #expect(taken.code == "installationTaken")
            }
            let another = try await rig.phone("two")
            let foreign = try await rig.call(
                .post, "/v1/device/register", Rig.registration("one"), key: rig.match.app,
                headers: ["Eyot-Device-Secret": another.secret])
            #expect(foreign.code == "installationTaken")
            let again = try await rig.call(
                .post, "/v1/device/register", Rig.registration("one", os: "18.2"), key: rig.match.app,
                headers: ["Eyot-Device-Secret": phone.secret])
            #expect(again.status == 200)
            #expect(again["epoch"]?.integer == 2)
            #expect(again["device"]?.string == phone.id)
            #expect(again["secret"]?.string == phone.secret)
            let outdated = try await rig.changes(phone.secret, #"{"sequence":9,"kind":"logout"}"#)
            #expect(outdated.status == 401)
            #expect(outdated.code == "epochOutdated")
            #expect(try await rig.changes(phone.secret, epoch: 2, #"{"sequence":1,"kind":"logout"}"#).status == 200)
        }
    }

    @Test func `Two apps may have the same installation id and the same user`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna", tags: ["fans"])
            let other = try await rig.call(
                .post, "/v1/device/register",
                Rig.registration("one", user: "anna", bundleID: "org.example.other"), key: rig.other.app)
            #expect(other.status == 201)
            _ = try await rig.call(.put, "/v1/users/anna", #"{"tags":["press"]}"#, key: rig.other.api)
            #expect(try await rig.call(.get, "/v1/users/anna")["tags", "0"]?.string == "fans")
        }
    }

    @Test(
        "What a phone says wrongly is named, and changes nothing",
        arguments: [
            (#"{"epoch":1}"#, 422, "fieldMissing", "changes"),
            (#"{"epoch":"1","changes":[]}"#, 422, "fieldMistyped", "epoch"),
            (#"{"epoch":1,"changes":[{"sequence":2,"kind":"explode"}]}"#, 422, "fieldInvalid", "changes[0].kind"),
            (
                #"{"epoch":1,"changes":[{"sequence":2,"kind":"logout","user":"x"}]}"#, 422, "fieldUnknown",
                "changes[0].user"
            ),
            (
                #"{"epoch":1,"changes":[{"sequence":2,"kind":"setStartToken","type":"Match","token":"xyz"}]}"#, 422,
                "fieldInvalid", "changes[0].token"
            ),
            (
                #"{"epoch":1,"changes":[{"sequence":2,"kind":"setStartToken","type":"Match","token":null}]}"#, 422,
                "fieldMissing", "changes[0].token"
            ),
            (
                #"{"epoch":1,"changes":[{"sequence":3,"kind":"logout"},{"sequence":3,"kind":"logout"}]}"#, 422,
                "fieldInvalid", "changes[1].sequence"
            ),
            (#"{"epoch":7,"changes":[]}"#, 401, "epochOutdated", "epoch"),
            (#"{"epoch":1,"changes":["#, 400, "jsonInvalid", nil),
        ] as [(String, Int, String, String?)])
    func changes(_ body: String, _ status: Int, _ code: String, _ field: String?) async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one")
            let commits = await rig.store.commits
            let reply = try await rig.call(.post, "/v1/device/changes", body, key: phone.secret)
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply.code == code)
            #expect(reply.field == field)
            #expect(await rig.store.commits == commits)
        }
    }

    @Test(
        "What a phone registers wrongly is named",
        arguments: [
            (Rig.registration("one", os: "new"), 422, "fieldInvalid", "osVersion"),
            (Rig.registration(""), 422, "fieldInvalid", "installation"),
            (Rig.registration("one").replacing("sandbox", with: "staging"), 422, "fieldInvalid", "environment"),
            (Rig.registration("one", bundleID: "org.example.other"), 403, "keyForbidden", "bundleID"),
            ("{}", 422, "fieldMissing", "installation"),
            (String(repeating: " ", count: DeviceLimits.bodyBytes + 1), 413, "bodyTooLarge", nil),
        ] as [(String, Int, String, String?)])
    func registration(_ body: String, _ status: Int, _ code: String, _ field: String?) async throws {
        try await Rig.run { rig in
            let commits = await rig.store.commits
            let reply = try await rig.call(.post, "/v1/device/register", body, key: rig.match.app)
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply.code == code)
            #expect(reply.field == field)
            #expect(await rig.store.commits == commits)
        }
    }
}
