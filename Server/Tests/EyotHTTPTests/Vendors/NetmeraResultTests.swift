import APNSWire
import EyotContract
import EyotDomain
import Testing

/// What Netmera's API tells of each person, beside what it counts.
@Suite struct `Netmera's results, person by person` {
    private func run(_ body: @Sendable @escaping (Rig, VendorCaller) async throws -> Void) async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna")
            try await rig.phone("two", user: "bert")
            try await rig.phone("old", user: "carl", os: "16.4")
            try await body(rig, try await rig.caller(of: .netmera))
        }
    }

    private func start(_ rig: Rig, _ caller: VendorCaller) async throws -> Int {
        let reply = try await rig.post(
            `Netmera's API`.bulk, `Netmera's API`.start(), by: caller, of: .netmera)
        return try #require(reply["notificationKey"]?.integer, "\(reply.text)")
    }

    private func ask(_ rig: Rig, _ caller: VendorCaller, _ call: String, _ key: Int) async throws -> Reply {
        try await rig.call(
            .get, "/rest/3.0/\(call)?notificationKey=\(key)", key: nil, headers: caller.headers(.netmera))
    }

    /// Changes the cards of a group, in their order.
    private func change(
        _ rig: Rig, _ body: @Sendable @escaping (inout Replica, any Ledger) throws -> Void
    ) async throws {
        try await rig.store.write { ledger in
            let app = try #require(try ledger.app(bundleID: "org.example.match"))
            let activity = try #require(try ledger.newestActivity(named: "g", in: app.id))
            for var replica in try ledger.replicas(of: activity.id, after: 0, limit: 10) {
                try body(&replica, ledger)
                try ledger.update(replica)
            }
        }
    }

    @Test func `A start that Apple refused has Apple's reason, and those left out are counted by theirs`() async throws
    {
        try await run { rig, caller in
            let key = try await start(rig, caller)
            try await change(rig) { replica, ledger in
                guard replica.ordinal == 2 else {
                    replica.lease?.state = .accepted
                    return
                }
                (replica.phase, replica.lease) = (.notStarted(.refused), nil)
                var token = try #require(try ledger.startToken(of: replica.device, type: "Match"))
                token.death = TokenDeath(reason: .unregistered, isQuarantine: false)
                try ledger.put(token, in: try #require(try ledger.app(bundleID: "org.example.match")).id)
            }
            let result = try await ask(rig, caller, "getPushResult", key)
            #expect(
                result.text
                    == #"{"list":[{"platform":"IOS","status":"SENT","installationId":"one","extId":"anna"},"#
                    + #"{"platform":"IOS","status":"FAILED","errorCode":"Unregistered","#
                    + #""errorMsg":"the card was not started: Apple refused it","installationId":"two","extId":"bert"}],"#
                    + #""skipped":{"osTooOld":1}}"#)
            let stats = try await ask(rig, caller, "getPushStats", key)
            #expect(stats["skipped"]?.text == #"{"osTooOld":1}"#, "\(stats.text)")
        }
    }

    @Test func `An update's are the cards that it was for, each with what became of it`() async throws {
        try await run { rig, caller in
            let first = try await start(rig, caller)
            try await rig.phone("three", user: "dora")
            try await rig.phone("four", user: "emil")
            _ = try await start(rig, caller)
            try await change(rig) { replica, _ in
                (replica.phase, replica.lease) = (replica.ordinal == 1 ? .notStarted(.refused) : .live, nil)
            }
            rig.clock.advance(60)
            let update = try await rig.post(
                `Netmera's API`.update, #"{"groupId":"g","action":"UPDATE","contentState":{"n":2}}"#, by: caller,
                of: .netmera)
            let key = try #require(update["notificationKey"]?.integer, "\(update.text)")
            let now = rig.clock.now
            let version = try #require(try await rig.activity("g")["version"]?.integer)
            func people() async throws -> [String] {
                let list = try await ask(rig, caller, "getPushResult", key)["list"]?.array ?? []
                return list.compactMap(\.object).map { row in
                    ["extId", "status", "errorCode"].compactMap { row[$0]?.string }.joined(separator: " ")
                }
            }
            #expect(try await people() == ["bert WAITING", "dora WAITING", "emil WAITING"])
            try await change(rig) { replica, _ in
                switch replica.ordinal {
                case 2: replica.acceptedVersion = version
                case 3: (replica.blockedVersion, replica.blockedReason) = (version, .payloadTooLarge)
                case 4:
                    replica.phase = .dead(TokenDeath(reason: .unregistered, isQuarantine: false))
                    replica.lastSecond = now.second
                default: break
                }
            }
            #expect(
                try await people() == ["bert SENT", "dora FAILED PayloadTooLarge", "emil FAILED Unregistered"])
            let started = try await ask(rig, caller, "getPushResult", first)
            #expect(
                started["list"]?.array?.map { $0.object?["status"]?.string } == ["FAILED", "SENT", "SENT", "SENT"],
                "\(started.text)")
            try await change(rig) { replica, _ in if replica.ordinal == 4 { replica.lastSecond = now.second - 60 } }
            #expect(try await people() == ["bert SENT", "dora FAILED PayloadTooLarge"])
        }
    }

    @Test func `Of somebody who was forgotten nothing is left but that there was a card`() async throws {
        try await run { rig, caller in
            let key = try await start(rig, caller)
            try await rig.leaveAllStarts()
            #expect(try await rig.call(.delete, "/v1/users/anna").status == 204)
            let result = try await ask(rig, caller, "getPushResult", key)
            #expect(result["list", "0"]?.object?["installationId"] == nil, "\(result.text)")
            #expect(!result.text.contains("u0001"))
        }
    }
}
