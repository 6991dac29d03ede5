import EyotContract
import EyotDomain
import Testing

@testable import EyotHTTP

/// Quotas of an app. An app's public key is known to all its phones, so quotas limit what calls with it may fill. They
/// can be changed.
@Suite("What phones may fill", .timeLimit(.minutes(10)))
struct QuotaTests {
    private static let app = "/v1/apps/org.example.match"

    private func quotas(_ change: (inout AppQuotas) -> Void) -> AppQuotas {
        var quotas = AppQuotas()
        change(&quotas)
        return quotas
    }

    private func register(_ rig: Rig, _ installation: String, key: String? = nil) async throws -> Reply {
        try await rig.call(
            .post, "/v1/device/register", Rig.registration(installation), key: key ?? rig.match.app)
    }

    @Test func `An app has so many devices and no more, until some are removed`() async throws {
        try await Rig.run(quotas: quotas { $0.devices = 2 }) { rig in
            let first = try await rig.phone("one", hasStartToken: false)
            _ = try await rig.phone("two", hasStartToken: false)
            let refused = try await register(rig, "three")
            #expect((refused.status, refused.code) == (429, "tooManyDevices"))
            // A phone that is known, and another app, are let in.
            let again = try await rig.call(
                .post, "/v1/device/register", Rig.registration("one"), key: rig.match.app,
                headers: ["Eyot-Device-Secret": first.secret])
            #expect(again.status == 200)
            let other = Rig.registration("three", bundleID: "org.example.other")
            #expect(try await rig.call(.post, "/v1/device/register", other, key: rig.other.app).status == 201)
            #expect(try await rig.call(.get, Self.app)["usage", "devices"]?.integer == 2)
            #expect(try await rig.call(.delete, "/v1/devices/\(first.id)").status == 204)
            #expect(try await rig.call(.get, Self.app)["usage", "devices"]?.integer == 1)
            #expect(try await register(rig, "three").status == 201)
        }
    }

    @Test func `A phone says so much of itself and no more`() async throws {
        try await Rig.run(quotas: quotas { $0.profileBytes = 20 }) { rig in
            let phone = try await rig.phone("one", hasStartToken: false)
            func say(_ sequence: Int, _ text: String) async throws -> Reply {
                try await rig.changes(
                    phone.secret,
                    #"{"sequence":\#(sequence),"kind":"profile","tags":["fans"],"attributes":{"city":"\#(text)"}}"#)
            }
            #expect(try await say(1, String(repeating: "x", count: 12)).status == 200)
            let refused = try await say(2, String(repeating: "x", count: 13))
            #expect((refused.status, refused.code) == (422, "profileTooLarge"), "\(refused.text)")
            #expect(try await say(2, "Paris").status == 200)
        }
    }

    @Test func `Names that only phones open are bounded for each and for all, and others are not`() async throws {
        let quotas = quotas {
            $0.openedNames = 3
            $0.openedNamesOfDevice = 2
        }
        try await Rig.run(quotas: quotas) { rig in
            let (one, two) = (try await rig.phone("one"), try await rig.phone("two"))
            func see(_ phone: (id: String, secret: String), _ sequence: Int, _ name: String) async throws -> Bool {
                let card = Rig.card(
                    sequence, "card-\(phone.id)-\(sequence)", name: name, token: "t-\(phone.id)-\(sequence)")
                let reply = try await rig.changes(phone.secret, card)
                #expect(reply.status == 200, "\(reply.text)")
                return try await rig.call(.get, "/v1/activities/\(name)").status == 200
            }
            #expect(try await see(one, 2, "a"))
            #expect(try await see(one, 3, "b"))
            #expect(try await !see(one, 4, "c"))
            #expect(try await see(two, 2, "d"))
            #expect(try await !see(two, 3, "e"))
            let usage = try await rig.call(.get, Self.app)["usage"]
            #expect(usage == ["devices": 2, "openedNames": 3, "refusedNames": 2])
            // What a backend declares is none of them, and makes room.
            for name in ["f", "a"] {
                let body = #"{"type":"Match","attributes":{"m":1},"contentState":{"n":1}}"#
                #expect(try await rig.call(.put, "/v1/activities/\(name)", body).status == 202)
            }
            #expect(try await rig.call(.get, Self.app)["usage", "openedNames"]?.integer == 2)
            #expect(try await see(one, 5, "f"))
            #expect(try await see(two, 4, "e"))
            #expect(try await rig.call(.get, Self.app)["usage", "openedNames"]?.integer == 3)
        }
    }

    @Test func `An app key is replaced, the former one goes on for as long as is said, and can be withdrawn`()
        async throws
    {
        try await Rig.run { rig in
            let path = "\(Self.app)/app-key/rotate"
            let rotated = try await rig.call(.post, path, #"{"overlapSeconds":3600}"#)
            let second = try #require(rotated["appKey"]?.string)
            #expect(second != rig.match.app)
            #expect(rotated["formerAppKeys", "0", "appKey"]?.string == rig.match.app, "\(rotated.text)")
            for (index, key) in [rig.match.app, second].enumerated() {
                #expect(try await register(rig, "early-\(index)", key: key).status == 201)
            }
            rig.clock.advance(3_600)
            #expect(try await register(rig, "late").code == "keyInvalid")
            #expect(try await register(rig, "late", key: second).status == 201)
            let third = try #require(try await rig.call(.post, path, "{}")["appKey"]?.string)
            #expect(try await register(rig, "later", key: second).status == 201)
            #expect(try await rig.call(.delete, "\(Self.app)/app-key/former").status == 204)
            #expect(try await register(rig, "latest", key: second).code == "keyInvalid")
            let fourth = try #require(try await rig.call(.post, path, #"{"overlapSeconds":0}"#)["appKey"]?.string)
            #expect(try await register(rig, "latest", key: third).code == "keyInvalid")
            #expect(try await register(rig, "latest", key: fourth).status == 201)
            for _ in 1...FormerAppKey.limit { #expect(try await rig.call(.post, path, "{}").status == 200) }
            #expect(try await rig.call(.post, path, "{}").field == "overlapSeconds")
            #expect(try await rig.call(.post, path, #"{"overlapSeconds":-1}"#).field == "overlapSeconds")
            let renamed = try await rig.call(.patch, Self.app, #"{"name":"Cup"}"#)
            #expect(renamed["name"]?.string == "Cup")
            #expect(try await rig.call(.patch, Self.app, #"{"name":""}"#).field == "name")
        }
    }

    @Test func `Phones are removed by what they say, whatever they have proven`() async throws {
        try await Rig.run { rig in
            for number in 1...3 {
                let phone = try await rig.phone("bot-\(number)", hasStartToken: false)
                let profile = #"{"sequence":1,"kind":"profile","tags":["bot"],"attributes":{}}"#
                #expect(try await rig.changes(phone.secret, profile).status == 200)
            }
            _ = try await rig.phone("person", user: "anna", tags: ["bot"])
            let removed = try await rig.call(
                .post, "/v1/devices/remove", #"{"audience":{"tag":{"name":"bot","of":"device"}}}"#)
            #expect(removed.json == ["removed": 3, "hasMore": false], "\(removed.text)")
            let left = try await rig.call(.get, "/v1/devices")["devices"]?.array ?? []
            #expect(left.map { $0.object?["user"]?.string } == ["anna"])
            #expect(try await rig.call(.post, "/v1/devices/remove", "{}").field == "audience")
        }
    }
}
