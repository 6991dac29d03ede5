import APNSSimulator
import EyotContract
import EyotLab
import Foundation
import PhoneSimulator
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The control API over HTTP, as a script in another language sees it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `The control API` {
    private func run(_ body: (Lab, APIClient) async throws -> Void) async throws {
        try await Rig.run(phones: 2) { lab in
            let description = await lab.description
            let url = try #require(URL(string: description.control))
            try await body(lab, APIClient(server: url, key: description.controlSecret))
        }
    }

    @Test func `It shows phones, and cards by name with their tokens`() async throws {
        try await run { lab, control in
            let started = try await control.call(
                "POST", "/phones/phone-1/start",
                body: [
                    "type": "MatchAttributes", "attributes": Lab.attributes, "contentState": Lab.state(score: 0),
                ])
            #expect(started.status == 201, "\(started.problem)")
            try await lab.until { lab.phones[0].state.cards.first?.updateToken != nil }
            let phone = try await control.call("GET", "/phones/phone-1").body.object
            #expect(phone?["user"] == "user-1")
            #expect(phone?["tags"] == ["fans"])
            #expect(phone?["startToken"]?.string?.count == 160)
            let card = phone?["cards"]?.array?.first?.object
            #expect(card?["name"] == "final")
            #expect(card?["type"] == "MatchAttributes")
            #expect(card?["state"] == "active")
            #expect(card?["leads"] == true)
            #expect(card?["updateToken"]?.string?.count == 160)
            let all = try await control.call("GET", "/phones").body
            #expect(all.object?["phones"]?.array?.map { $0.object?["id"] } == ["phone-1", "phone-2"])
        }
    }

    @Test func `It shows the pushes as they came, with Apple's verdict`() async throws {
        try await run { lab, control in
            let faults = try await control.call(
                "POST", "/faults", body: ["verdicts": ["accept", "InternalServerError"]])
            #expect(faults.body == ["waiting": 2])
            try await lab.start()
            try await lab.untilShown(score: 0)
            let pushes = try await control.call("GET", "/pushes?limit=10").body.object?["pushes"]?.array ?? []
            let verdicts = pushes.map { $0.object?["verdict"]?.object?["status"]?.integer }
            #expect(verdicts.contains(200) && verdicts.contains(500))
            let headers = pushes.first?.object?["headers"]?.object
            #expect(headers?["apns-push-type"] == "liveactivity")
            #expect(headers?["apns-topic"] == "app.eyot.lab.push-type.liveactivity")
            #expect(pushes.first?.object?["payload"]?.object?["aps"]?.object?["event"] == "start")
        }
    }

    @Test func `It adds phones and moves them about`() async throws {
        try await run { lab, control in
            let added = try await control.call(
                "POST", "/phones", body: ["count": 2, "user": "anna", "tags": ["vip"], "os": "17.2"])
            #expect(added.status == 201, "\(added.problem)")
            #expect(lab.phones.count == 4)
            let phone = try lab.phone("phone-3")
            #expect(phone.user == "anna")
            for (action, app) in [("background", "background"), ("quit", "notRunning"), ("relaunch", "foreground")] {
                let answer = try await control.call("POST", "/phones/phone-3/\(action)")
                #expect(answer.body.object?["app"] == .string(app), "\(action)")
            }
            #expect(try await control.call("POST", "/phones/phone-3/offline").body.object?["online"] == false)
            #expect(try await control.call("POST", "/phones/phone-3/online").body.object?["online"] == true)
            let identified = try await control.call("POST", "/phones/phone-3/identify", body: ["user": "bob"])
            #expect(identified.body.object?["user"] == "bob")
            let settings = try await control.call(
                "POST", "/phones/phone-3/settings", body: ["allowed": "never", "clockSkew": -90])
            #expect(settings.body.object?["settings"]?.object?["allowed"] == "never")
            #expect(try await control.call("POST", "/phones/phone-3/allow").status == 409)
        }
    }

    @Test func `It puts the switches of new phones and of phones that are on`() async throws {
        try await run { lab, control in
            let defaults = try await control.call("GET", "/rules").body
            let all = try #require(defaults.object)
            let phones = all.members.filter { $0.name != "pushService" }.map { ($0.name, $0.value) }
            #expect(JSONValue.object(JSONObject(phones)) == PhoneRules().json)
            #expect(all["pushService"] == APNSRules().json)
            let added = try await control.call(
                "POST", "/phones",
                body: ["user": "anna", "tags": ["vip"], "rules": ["startBudget": ["limit": 0], "maximumCards": 2]])
            #expect(added.status == 201, "\(added.problem)")
            let anna = try lab.phone("phone-3")
            #expect(anna.phone.rules.maximumCards == 2 && anna.phone.rules.startBudget.limit == 0)
            try await lab.untilStartable(1, tag: "vip")
            try await lab.start(tag: "vip")
            try await lab.until { anna.state.pushes.entries.last?.effect == .ignored(.budgetSpent) }
            #expect(anna.cardsInView.isEmpty)
            let put = try await control.call(
                "POST", "/phones/phone-1/rules", body: ["endsAlert": false, "updateBudget": ["limit": 5]])
            #expect(put.status == 200, "\(put.problem)")
            let rules = lab.phones[0].phone.rules
            #expect(!rules.endsAlert && rules.updateBudget == PushBudget(limit: 5, window: 3_600))
            for (path, body, field) in [
                ("/phones", ["rules": ["tokenDaley": 3]], "rules.tokenDaley"),
                ("/phones/phone-1/rules", ["tokenDelay": -3], "tokenDelay"),
            ] as [(String, JSONValue, String)] {
                let answer = try await control.call("POST", path, body: body)
                #expect(answer.status == 422 && answer.body.object?["field"] == .string(field), "\(answer.problem)")
            }
        }
    }

    @Test func `It installs another build, which says its version and decodes by its own schemas`() async throws {
        try await run { lab, control in
            let phone = lab.phones[0]
            let before = try #require(phone.deviceID)
            let listed = try await lab.api.call("GET", APIClient.path("v1", "devices", before)).body
            #expect(listed.object?["user"] == phone.user.map(JSONValue.string))
            let schema: JSONValue = [
                "attributes": ["type": "object"],
                "contentState": [
                    "type": "object", "required": ["phase"], "properties": ["phase": ["type": "string"]],
                ],
            ]
            let body: JSONValue = ["appVersion": "2.0 (7)", "schemas": ["MatchAttributes": schema]]
            let installed = try await control.call("POST", "/phones/phone-1/install", body: body)
            #expect(installed.body.object?["appVersion"] == "2.0 (7)", "\(installed.problem)")
            #expect(installed.body.object?["app"] == "notRunning")
            #expect(installed.body.object?["deviceID"] == .string(before))
            phone.launch()
            try await lab.untilServer {
                let device = try await lab.api.call("GET", APIClient.path("v1", "devices", before)).body
                return device.object?["appVersion"] == "2.0 (7)"
            }
            try await lab.start()
            try await lab.until { phone.state.pushes.entries.last?.effect.reason?.code == "decodeFailed" }
            try await lab.until { lab.phones[1].shows(score: 0) }
            let unknown = try await control.call(
                "POST", "/phones/phone-1/install", body: ["schemas": ["Nothing": [:]]])
            #expect(unknown.body.object?["field"] == "schemas.Nothing")
        }
    }

    @Test func `It has the app update and end a card by itself`() async throws {
        try await run { lab, control in
            // A start without a verdict would be followed by its state, over what the app shows.
            try await lab.untilDone(lab.start())
            try await lab.untilTokens(2)
            // If a late list has refuted the start of a card, the card is pushed its state again.
            try await lab.untilServer {
                let list = try await lab.api.call("GET", "/v1/activities/final/replicas").body
                let replicas = list.object?["replicas"]?.array ?? []
                return replicas.allSatisfy { $0.object?["isBehind"] == false }
            }
            let update: JSONValue = ["name": "final", "contentState": Lab.state(score: 7), "alert": true]
            let updated = try await control.call("POST", "/phones/phone-1/update", body: update)
            #expect(updated.status == 200, "\(updated.problem)")
            #expect(lab.phones[0].shows(score: 7) && lab.phones[1].shows(score: 0))
            try await lab.untilServer {
                let list = try await lab.api.call("GET", "/v1/activities/final/replicas").body
                let replicas = list.object?["replicas"]?.array ?? []
                return replicas.contains { $0.object?["locallyChanged"] == true }
            }
            let wrong = try await control.call(
                "POST", "/phones/phone-1/update", body: ["contentState": ["homeScore": 1.5]])
            #expect(wrong.status == 422 && wrong.problem.contains("contentState.homeScore: 1.5 does not decode as Int"))
            let ended = try await control.call(
                "POST", "/phones/phone-1/end", body: ["contentState": Lab.state(score: 8), "dismissal": "default"])
            #expect(ended.status == 200, "\(ended.problem)")
            #expect(lab.phones[0].shows(score: 8, .ended))
            try await lab.untilPhase("ended", 1)
        }
    }

    @Test func `It takes verdicts for broadcasts and for channels`() async throws {
        try await run { lab, control in
            for service in ["push", "broadcast", "channels"] {
                let body: JSONValue = ["service": .string(service), "verdicts": ["accept", "InternalServerError"]]
                #expect(try await control.call("POST", "/faults", body: body).body == ["waiting": 2])
            }
            #expect(lab.simulator.faults(of: .broadcast).count == 2)
            let other = try await control.call("POST", "/faults", body: ["service": "mail", "verdicts": []])
            #expect(other.body.object?["field"] == "service")
            #expect(try await control.call("DELETE", "/faults").body == ["waiting": 0])
            #expect(lab.simulator.faults(of: .broadcast).count + lab.simulator.faults(of: .channels).count == 0)
        }
    }

    @Test func `It stops, kills and starts the server and moves the clock`() async throws {
        try await run { lab, control in
            let before = await lab.description
            #expect(try await control.call("POST", "/server/start").status == 409)
            #expect(try await control.call("POST", "/server/kill").body.object?["running"] == false)
            let started = try await control.call("POST", "/server/start").body.object
            #expect(started?["http"] == .string(before.http))
            #expect(started?["serverPID"]?.integer != Int(before.serverPID))
            #expect(try await control.call("POST", "/server/stop").body.object?["serverPID"] == .null)
            let clock = try await control.call("POST", "/clock/advance", body: ["seconds": 86_400])
            let now = clock.body.object?["now"]?.string.flatMap(RFC3339.date(from:))
            #expect(try #require(now).timeIntervalSinceNow > 86_000)
        }
    }

    @Test func `It refuses whoever is not meant, and names what is wrong`() async throws {
        try await run { lab, control in
            let description = await lab.description
            let url = try #require(URL(string: description.control))
            #expect(try await APIClient(server: url, key: "guess").call("GET", "/phones").status == 401)
            let page = try await control.call("GET", "/phones", headers: ["Origin": "https://example.com"])
            #expect(page.status == 403)
            #expect(try await control.call("GET", "/phones", headers: ["Host": "evil.example"]).status == 403)
            #expect(try await control.call("GET", "/phones/phone-9").body.object?["code"] == "phoneUnknown")
            #expect(try await control.call("GET", "/nothing").status == 404)
            #expect(try await control.call("POST", "/phones/phone-1/dance").status == 404)
            for (path, body, field) in [
                ("/phones", ["cuont": 1], "cuont"), ("/phones", ["count": 0], "count"),
                ("/phones", ["os": "x"], "os"), ("/clock/advance", ["seconds": -1], "seconds"),
                ("/faults", ["verdicts": ["Nonsense"]], "verdicts[0]"),
                ("/phones/phone-1/start", ["type": "MatchAttributes"], "contentState"),
                ("/phones/phone-1/settings", ["settings": [:]], "settings"),
            ] as [(String, JSONValue, String)] {
                let answer = try await control.call("POST", path, body: body)
                #expect(answer.status == 422, "\(path)")
                #expect(answer.body.object?["field"] == .string(field), "\(path)")
            }
            #expect(try await control.call("GET", "/pushes?limit=0").status == 422)
        }
    }
}
