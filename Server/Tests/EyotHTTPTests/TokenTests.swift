import APNSWire
import EyotDomain
import Testing

@Suite("Bringing tokens back")
struct TokenTests {
    /// Cards of `final` on some phones, all with dead tokens, and what they died of.
    private func bury(_ rig: Rig, _ reasons: [APNSReason]) async throws -> [String] {
        var devices: [String] = []
        for index in reasons.indices {
            let phone = try await rig.phone("p\(index)")
            _ = try await rig.changes(phone.secret, Rig.card(2, "card-\(index)", token: "t\(index)"))
            devices.append(phone.id)
        }
        try await rig.store.write { ledger in
            let app = try #require(try ledger.app(bundleID: "org.example.match"))
            let activity = try #require(try ledger.newestActivity(named: "final", in: app.id))
            for (index, reason) in reasons.enumerated() {
                let death = TokenDeath(reason: reason, isQuarantine: reason.action == .suspectToken)
                let former = try #require(try ledger.replica(index + 1, of: activity.id))
                var replica = former
                replica.phase = .dead(death)
                try Transaction(ledger, at: Rig.start).update(replica, from: former, in: app.id)
                var token = try #require(try ledger.startToken(of: replica.device, type: "Match"))
                token.death = death
                try ledger.put(token, in: app.id)
            }
        }
        return devices
    }

    private func live(_ rig: Rig) async throws -> Int? {
        try await rig.call(.get, "/v1/activities/final")["phases", "live"]?.integer
    }

    private static let path = "/v1/tokens/restore"

    @Test func `An app that is resumed has all its tokens back, however many there are`() async throws {
        try await Rig.run { rig in
            _ = try await bury(rig, Array(repeating: .badDeviceToken, count: ClearSuspicion.batch + 20))
            #expect(try await rig.call(.post, "/v1/apps/org.example.match/resume").status == 200)
            #expect(try await live(rig) == ClearSuspicion.batch + 20)
        }
    }

    @Test func `One, those of a device, of an activity, of a reason, or all`() async throws {
        try await Rig.run { rig in
            let devices = try await bury(rig, [.unregistered, .unregistered, .badDeviceToken, .expiredToken])
            #expect(
                try await rig.call(.get, "/v1/activities/final")["deaths"]?.text
                    == #"{"BadDeviceToken":1,"ExpiredToken":1,"Unregistered":2}"#)
            let one = try await rig.call(.post, Self.path, #"{"activity":"final","ordinal":1}"#)
            #expect(one.text == #"{"updateTokens":1,"startTokens":0}"#)
            #expect(try await live(rig) == 1)
            let own = try await rig.call(.post, Self.path, #"{"device":"\#(devices[1])"}"#)
            #expect(own.text == #"{"updateTokens":1,"startTokens":1}"#)
            let reason = try await rig.call(.post, Self.path, #"{"activity":"final","reason":"ExpiredToken"}"#)
            #expect(reason.text == #"{"updateTokens":1,"startTokens":0}"#)
            let all = try await rig.call(.post, Self.path, #"{"all":true}"#)
            #expect(all.text == #"{"updateTokens":1,"startTokens":3}"#)
            #expect(try await live(rig) == 4)
            let none = try await rig.call(.post, Self.path, #"{"all":true}"#)
            #expect(none.text == #"{"updateTokens":0,"startTokens":0}"#)
        }
    }

    @Test func `Many come back in several calls`() async throws {
        try await Rig.run { rig in
            try await rig.store.write { ledger in
                let app = try #require(try ledger.app(bundleID: "org.example.match")).id
                for name in ["a", "b"] {
                    var activity = try ledger.insertActivity(
                        named: name, in: app, generation: 1, type: "Match", at: Rig.start)
                    let device = try ledger.insert(
                        NewDevice(
                            app: app, installation: name, environment: .sandbox, osVersion: OSVersion(18),
                            appVersion: "1", permissions: .init(activities: true, frequentPushes: true),
                            createdAt: Rig.start))
                    for ordinal in 1...400 {
                        var replica = Replica(
                            activity: activity.id, ordinal: ordinal, device: device.id,
                            phase: .dead(TokenDeath(reason: .unregistered, isQuarantine: false)), createdAt: Rig.start)
                        replica.token = .init(
                            token: try #require(.init(bytes: [1])), environment: .sandbox, version: 1, setAt: Rig.start)
                        try ledger.insert(replica)
                        activity.nextOrdinal += 1
                    }
                    try ledger.update(activity)
                }
            }
            let first = try await rig.call(.post, Self.path, #"{"all":true}"#)
            #expect(first["updateTokens"]?.integer == 500)
            let next = try #require(first["next"]?.string)
            let second = try await rig.call(.post, Self.path, #"{"all":true,"after":"\#(next)"}"#)
            #expect(second["updateTokens"]?.integer == 300)
            #expect(second["next"] == nil)
            let due = try await rig.store.read { try $0.dueActivities(at: Rig.start, limit: 9).count }
            #expect(due == 2)
        }
    }

    @Test func `Another app's tokens are out of reach, and so is what is not there`() async throws {
        try await Rig.run { rig in
            let devices = try await bury(rig, [.unregistered])
            let key = rig.other.api
            let all = try await rig.call(.post, Self.path, #"{"all":true}"#, key: key)
            #expect(all.text == #"{"updateTokens":0,"startTokens":0}"#)
            let cursor = try await rig.call(.post, Self.path, #"{"all":true,"after":"update.1.0"}"#, key: key)
            #expect(cursor.text == #"{"updateTokens":0,"startTokens":0}"#)
            let device = try await rig.call(.post, Self.path, #"{"device":"\#(devices[0])"}"#, key: key)
            #expect(device.code == "deviceUnknown")
            #expect(try await rig.call(.post, Self.path, #"{"activity":"final"}"#, key: key).code == "activityUnknown")
            #expect(try await live(rig) == 0)
            let ordinal = try await rig.call(.post, Self.path, #"{"activity":"final","ordinal":9}"#)
            #expect(ordinal.code == "replicaUnknown")
        }
    }

    @Test(arguments: [
        ("{}", "all"), (#"{"all":true,"device":"1"}"#, "all"), (#"{"device":"x"}"#, "device"),
        (#"{"all":true,"reason":"Gone"}"#, "reason"), (#"{"all":true,"after":"7"}"#, "after"),
    ])
    func `What makes no sense is refused`(body: String, field: String) async throws {
        try await Rig.run { rig in
            let reply = try await rig.call(.post, Self.path, body)
            #expect(reply.status == 422)
            #expect(reply.field == field)
        }
    }
}
