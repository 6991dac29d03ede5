import EyotCommands
import EyotDomain
import HTTPTypes
import NIOCore
import Testing

@testable import EyotHTTP

/// How often callers may call.
@Suite("Limits on calls")
struct CallLimitTests {
    private func limits(_ change: (inout CallLimits) -> Void) -> CallLimits {
        var limits = CallLimits()
        change(&limits)
        return limits
    }

    private func header(_ reply: Reply, _ name: String) throws -> String? {
        reply.headers[try #require(HTTPField.Name("x-ratelimit-\(name)"))]
    }

    @Test func `Every answer of the control plane says how its key stands, errors included`() async throws {
        try await Rig.run(limits: limits { $0.keyCallsPerHour = 3_600 }) { rig in
            for (path, status, left) in [("/v1/devices", 200, "3599"), ("/v1/users/none", 404, "3598")] {
                let reply = try await rig.call(.get, path)
                #expect(reply.status == status)
                #expect(try header(reply, "limit") == "3600")
                #expect(try header(reply, "remaining") == left)
            }
            let foreign = try await rig.call(.get, "/v1/apps/org.example.other")
            #expect(foreign.status == 403)
            #expect(try header(foreign, "remaining") == "3597")
            // Three have to come back, one a second.
            #expect(try header(foreign, "reset") == "1671375603")
            #expect(try header(await rig.call(.get, "/v1/devices", key: rig.other.api), "remaining") == "3599")
            #expect(try header(await rig.call(.get, "/healthz", key: nil), "limit") == nil)
        }
    }

    @Test func `Who calls too often is told when to come again, and others are not held up`() async throws {
        try await Rig.run(limits: limits { $0.keyCallsPerHour = 3 }) { rig in
            for _ in 1...3 { #expect(try await rig.call(.get, "/v1/devices").status == 200) }
            let commits = await rig.store.commits
            let refused = try await rig.call(.put, "/v1/users/anna", #"{"tags":[]}"#)
            #expect(refused.status == 429)
            #expect(refused.code == "tooManyCalls")
            #expect(refused.headers[.retryAfter] == "1200")
            #expect(try header(refused, "remaining") == "0")
            #expect(await rig.store.commits == commits)
            #expect(try await rig.call(.get, "/v1/devices", key: rig.other.api).status == 200)
            rig.clock.advance(1_199)
            #expect(try await rig.call(.get, "/v1/devices").status == 429)
            rig.clock.advance(1)
            #expect(try await rig.call(.get, "/v1/devices").status == 200)
        }
    }

    @Test func `All keys of an app share its limit, the operator's too where it names the app`() async throws {
        try await Rig.run(limits: limits { $0.appCallsPerHour = 4 }) { rig in
            let made = try await rig.call(.post, "/v1/keys", #"{"name":"second"}"#)
            let second = try #require(made["key"]?.string)
            #expect(try await rig.call(.get, "/v1/devices", key: second).status == 200)
            let named = ["Eyot-App": "org.example.match"]
            let third = try await rig.call(.get, "/v1/devices", key: rig.operatorKey, headers: named)
            #expect(try header(third, "remaining") == "1")
            #expect(try await rig.call(.get, "/v1/devices").status == 200)
            for key in [rig.match.api, second] {
                #expect(try await rig.call(.get, "/v1/devices", key: key).code == "tooManyCalls")
            }
            #expect(try await rig.call(.get, "/v1/apps", key: rig.operatorKey).status == 200)
            #expect(try await rig.call(.get, "/v1/devices", key: rig.other.api).status == 200)
        }
    }

    @Test func `A key that may do little does not use up the app's calls, and a used-up app can be stopped`()
        async throws
    {
        try await Rig.run(limits: limits { $0.appCallsPerHour = 5 }) { rig in
            let made = try await rig.call(.post, "/v1/keys", #"{"name":"weak","scopes":["audit:read"]}"#)
            let weak = try #require(made["key"]?.string)
            for _ in 1...20 { #expect(try await rig.call(.get, "/v1/devices", key: weak).code == "keyForbidden") }
            for _ in 1...4 { #expect(try await rig.call(.get, "/v1/devices").status == 200) }
            #expect(try await rig.call(.get, "/v1/devices").status == 429)
            let app = "/v1/apps/org.example.match"
            #expect(try await rig.call(.post, "\(app)/halt", key: weak).code == "keyForbidden")
            #expect(try await rig.call(.post, "\(app)/halt", key: rig.operatorKey).status == 200)
            #expect(try await rig.call(.post, "\(app)/resume").status == 200)
            #expect(try await rig.call(.delete, "/v1/keys/\(made["id"]?.string ?? "")").status == 204)
            #expect(try await rig.call(.get, "/v1/devices").status == 429)
            for _ in 2..<CallGate.reserve { #expect(try await rig.call(.post, "\(app)/halt").status == 200) }
            #expect(try await rig.call(.post, "\(app)/halt").status == 429)
            // The reserve of one key is none of another's.
            #expect(try await rig.call(.post, "\(app)/halt", key: rig.operatorKey).status == 200)
        }
    }

    @Test func `Calls that are refused count for their key alone`() async throws {
        try await Rig.run(
            limits: limits {
                $0.appCallsPerHour = 5
                $0.keyCallsPerHour = 12
            }
        ) { rig in
            let made = try await rig.call(.post, "/v1/keys", #"{"name":"clumsy"}"#)
            let clumsy = try #require(made["key"]?.string)
            for _ in 1...6 {
                #expect(try await rig.call(.get, "/v1/users/none", key: clumsy).status == 404)
                #expect(try await rig.call(.put, "/v1/users/anna", #"{"no":1}"#, key: clumsy).status == 422)
            }
            #expect(try await rig.call(.get, "/v1/users/none", key: clumsy).status == 429)
            for _ in 1...4 { #expect(try await rig.call(.get, "/v1/devices").status == 200) }
            #expect(try await rig.call(.get, "/v1/devices").status == 429)
        }
    }

    @Test func `A device that calls too often waits, and registering again counts for it alone`() async throws {
        try await Rig.run(limits: limits { $0.deviceCallsPerHour = 3 }) { rig in
            let phone = try await rig.phone("one", hasStartToken: false)
            for _ in 1...2 {
                #expect(
                    try await rig.call(.post, "/v1/device/changes", #"{"epoch":1,"changes":[]}"#, key: phone.secret)
                        .status == 200)
            }
            let again = ["Eyot-Device-Secret": phone.secret]
            func register() async throws -> Reply {
                try await rig.call(
                    .post, "/v1/device/register", Rig.registration("one"), key: rig.match.app, headers: again)
            }
            #expect(try await register().status == 200)
            #expect(try await register().code == "tooManyCalls")
            _ = try await rig.phone("two", hasStartToken: false)
            rig.clock.advance(1_200)
            #expect(try await register().status == 200)
        }
    }

    @Test func `Guessing is slow, for whoever guesses and not for those beside them`() async throws {
        let gate = CallGate(limits { $0.failedKeysPerMinute = 2 })
        let address = try SocketAddress(ipAddress: "203.0.113.7", port: 50_000)
        let elsewhere = try SocketAddress(ipAddress: "203.0.113.8", port: 50_000)
        await gate.note(.control, "good", isGood: true, from: address, at: Rig.start)
        for guess in ["a", "b"] {
            try gate.checkFailures(.control, guess, from: address, at: Rig.start)
            await gate.note(.control, guess, isGood: false, from: address, at: Rig.start)
        }
        let problem = #expect(throws: Problem.self) {
            try gate.checkFailures(.control, "c", from: address, at: Rig.start)
        }
        #expect(problem?.error.code == .tooManyCalls)
        #expect(problem?.headers[.retryAfter] == "30")
        try gate.checkFailures(.control, "good", from: address, at: Rig.start)
        try gate.checkFailures(.control, "c", from: elsewhere, at: Rig.start)
        try gate.checkFailures(.control, "c", from: nil, at: Rig.start)
        try gate.checkFailures(
            .control, "c", from: try SocketAddress(ipAddress: "127.0.0.1", port: 50_000), at: Rig.start)
        try gate.checkFailures(.device, "c", from: address, at: Rig.start)
        try gate.checkFailures(.control, "c", from: address, at: Rig.start + 30)
        // One that was good and is not any more counts like any other.
        await gate.note(.control, "good", isGood: false, from: address, at: Rig.start)
        #expect(throws: Problem.self) { try gate.checkFailures(.control, "good", from: address, at: Rig.start) }
    }
}
