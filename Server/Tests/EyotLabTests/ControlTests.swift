import EyotContract
import EyotLab
import Foundation
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
