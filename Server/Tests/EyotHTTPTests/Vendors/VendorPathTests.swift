import EyotContract
import EyotDomain
import Testing

/// What is answered where a vendor's API has something and ours has not.
@Suite struct `Paths of vendors' APIs that are not served` {
    @Test(
        arguments: [
            "/api/schedules", "/api/channels/", "/api/reports/perpush/detail/x", "/api/nosuch", "/api/v1/other",
        ]) func `Airship's are 404 in its shape`(_ path: String) async throws
    {
        try await Rig.run { rig in
            let caller = try await rig.caller(of: .airship)
            for method in ["GET", "POST"] {
                let reply = try await rig.call(
                    method == "GET" ? .get : .post, path, method == "GET" ? nil : "{}", key: nil,
                    headers: caller.headers(.airship))
                #expect((reply.status, reply["error_code"]?.integer) == (404, 40_400), "\(reply.text)")
                #expect(reply["ok"]?.bool == false)
            }
        }
    }

    @Test(arguments: ["/messages/send", "/users/track", "/messages/live_activity/stop", "/canvas/trigger/send"])
    func `Braze's are 404 in its shape`(_ path: String) async throws {
        try await Rig.run { rig in
            let reply = try await rig.call(.post, path, "{}")
            #expect((reply.status, reply["message"]?.string) == (404, "Not Found"), "\(reply.text)")
        }
    }

    @Test func `Netmera's and Insider's have theirs, and our own stays our own`() async throws {
        try await Rig.run { rig in
            let netmera = try await rig.call(.get, "/rest/2.0/x")
            #expect((netmera.status, netmera["code"]?.integer) == (404, 2020), "\(netmera.text)")
            let insider = try await rig.call(.post, "/api/v1/live-activity/nosuch", "{}")
            #expect((insider.status, insider.code) == (404, "NOT_FOUND"), "\(insider.text)")
            #expect(try await rig.call(.get, "/v1/nosuch").code == "routeUnknown")
            #expect(try await rig.call(.get, "/apis").code == "routeUnknown")
        }
    }

    @Test func `OAuth's endpoint answers in OAuth's words whatever is wrong`() async throws {
        try await Rig.run { rig in
            _ = try await rig.caller(of: .airship)
            for (reply, status) in [
                (try await rig.call(.get, "/token", key: nil), 405),
                (try await rig.call(.post, "/token", "{}", key: nil), 415),
            ] {
                #expect(reply.status == status)
                #expect(reply.json?.object?.members.map(\.name) == ["error", "error_description"], "\(reply.text)")
                #expect(reply["error"]?.string == "invalid_request")
            }
        }
    }

    @Test func `An app key is of Airship's form, and a push id says which operation it is`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna", tags: ["fans"])
            for (identifier, status) in [
                ("short", 422), ("a:b", 422), ("abcdefghijklmnopqrstu:", 422), ("Abcdefghijklmnopqr_-01", 201),
            ] {
                let made = try await rig.call(
                    .post, "/v1/keys", #"{"name":"k","plane":"airship","identifier":"\#(identifier)"}"#)
                #expect(made.status == status, "\(made.text)")
                if status == 422 { #expect(made.field == "identifier") }
            }
            let caller = try await rig.caller(of: .airship)
            let reply = try await rig.post(
                `Airship's API`.push, `Airship's API`.start, by: caller, of: .airship)
            let id = try #require(reply["push_ids", "0"]?.string, "\(reply.text)")
            let operation = try await rig.call(.get, "/v1/operations/\(id)")
            #expect((operation.status, operation["verb"]?.string) == (200, "start"), "\(operation.text)")
            #expect(try await rig.call(.get, "/v1/operations/\(id.dropLast())x").code == "operationUnknown")
            #expect(try await rig.call(.get, "/v1/operations/00000000-0000-8000-8000-0000000fffff").status == 404)
        }
    }
}
