import EyotCommands
import EyotDomain
import HTTPTypes
import Testing

/// Who may call what.
@Suite("Access")
struct AccessTests {
    private func prepare(_ rig: Rig) async throws -> (id: String, secret: String) {
        let phone = try await rig.phone("one", user: "anna", tags: ["fans"])
        #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
        return phone
    }

    @Test func `The operator names the app in a header, and an app's key names no other one`() async throws {
        try await Rig.run { rig in
            _ = try await prepare(rig)
            func read(_ key: String, _ app: String) async throws -> Reply {
                try await rig.call(.get, "/v1/activities/final", key: key, headers: ["Eyot-App": app])
            }
            #expect(try await read(rig.operatorKey, "org.example.match").status == 200)
            #expect(try await read(rig.operatorKey, "org.example.other").status == 404)
            let unknown = try await read(rig.operatorKey, "org.example.none")
            #expect(unknown.status == 404)
            #expect(unknown.code == "appUnknown")
            #expect(try await read(rig.match.api, "org.example.match").status == 200)
            for foreign in ["org.example.other", "org.example.none"] {
                let reply = try await read(rig.match.api, foreign)
                #expect(reply.status == 403)
                #expect(reply.code == "keyForbidden")
            }
            let nameless = try await rig.call(.get, "/v1/activities/final", key: rig.operatorKey)
            #expect(nameless.code == "fieldMissing")
            #expect(nameless.field == "Eyot-App")
        }
    }

    @Test func `A start of one app never reaches another app's devices`() async throws {
        try await Rig.run { rig in
            let phone = try await prepare(rig)
            for audience in [#""all""#, #"{"user":"anna"}"#, #"{"tag":"fans"}"#, #"{"device":"\#(phone.id)"}"#] {
                let reply = try await rig.call(
                    .post, "/v1/activities/theirs/start",
                    Body.start.replacing(#""all""#, with: audience), key: rig.other.api)
                #expect(reply.status == 202 || reply["outcome"]?.string == "unchanged", "\(reply.text)")
                #expect(reply["starting"]?.integer == 0)
                #expect(reply["skipped"]?.object?.members.isEmpty == true)
            }
            #expect(try await rig.call(.get, "/v1/devices", key: rig.other.api)["devices"]?.array == [])
        }
    }

    @Test func `The device plane takes the keys of phones alone`() async throws {
        try await Rig.run { rig in
            let phone = try await prepare(rig)
            let cases: [(String, String, String?, Int, String)] = [
                ("/v1/device/register", Rig.registration("two"), nil, 401, "keyMissing"),
                ("/v1/device/register", Rig.registration("two"), "nonsense", 401, "keyInvalid"),
                ("/v1/device/register", Rig.registration("two"), phone.secret, 401, "keyInvalid"),
                ("/v1/device/register", Rig.registration("two"), rig.match.api, 403, "keyForbidden"),
                ("/v1/device/register", Rig.registration("two"), rig.other.app, 403, "keyForbidden"),
                ("/v1/device/changes", #"{"epoch":1,"changes":[]}"#, nil, 401, "keyMissing"),
                ("/v1/device/changes", #"{"epoch":1,"changes":[]}"#, "nonsense", 401, "secretInvalid"),
                ("/v1/device/changes", #"{"epoch":1,"changes":[]}"#, rig.match.app, 401, "secretInvalid"),
                ("/v1/device/changes", #"{"epoch":1,"changes":[]}"#, rig.match.api, 401, "secretInvalid"),
                ("/v1/device/channel", #"{"name":"final"}"#, rig.match.api, 401, "secretInvalid"),
            ]
            let commits = await rig.store.commits
            for (path, body, key, status, code) in cases {
                let reply = try await rig.call(.post, path, body, key: key)
                #expect(reply.status == status, "\(path) \(reply.text)")
                #expect(reply.code == code, "\(path) \(reply.text)")
            }
            #expect(await rig.store.commits == commits)
        }
    }

    @Test func `Only a bearer counts, in any case of letters`() async throws {
        try await Rig.run { rig in
            let lower = try await rig.call(
                .get, "/v1/apps", key: nil, headers: ["Authorization": "bearer \(rig.match.api)"])
            #expect(lower.status == 200)
            for header in ["Basic abc", "Bearer", rig.match.api, "Bearer a b"] {
                let reply = try await rig.call(.get, "/v1/apps", key: nil, headers: ["Authorization": header])
                #expect(reply.code == "keyMissing", "\(header)")
            }
        }
    }
}
