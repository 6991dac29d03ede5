import Crypto
import EyotContract
import EyotDomain
import Foundation
import Testing

@testable import EyotHTTP

/// What a phone says of itself never stands in for what a backend says.
@Suite("A phone's own tags and attributes", .timeLimit(.minutes(10)))
struct OwnNamesTests {
    private static let start =
        #"{"type":"Match","attributes":{"m":1},"contentState":{"incident":"internal"},"public":false,"alert":{"title":"A","body":"B"},"audience":"#

    private func matched(_ rig: Rig, _ audience: String) async throws -> Int? {
        try await rig.call(.post, "/v1/audiences/count", #"{"audience":\#(audience)}"#)["matched"]?.integer
    }

    /// Has a phone say of itself what a member of the staff has.
    private func pretend(_ rig: Rig, _ secret: String, _ sequence: Int) async throws {
        let profile =
            #"{"sequence":\#(sequence),"kind":"profile","tags":["staff","fans"],"attributes":{"role":"staff","city":"Paris"}}"#
        #expect(try await rig.changes(secret, profile).status == 200)
    }

    private static let staff = [
        #"{"tag":"staff"}"#, #"{"attribute":{"name":"role","is":"staff"}}"#, #"{"tag":{"name":"staff","of":"device"}}"#,
        #"{"attribute":{"name":"role","of":"device","contains":"sta"}}"#, #"{"segment":"staff"}"#,
        #"{"and":[{"tag":"staff"},{"not":{"attribute":{"name":"role","isNot":"staff"}}}]}"#,
    ]

    @Test(arguments: [true, false])
    func `A phone does not become what the backend calls others, whoever spoke first`(isPhoneFirst: Bool) async throws {
        try await Rig.run { rig in
            let impostor = try await rig.phone("impostor")
            if isPhoneFirst { try await pretend(rig, impostor.secret, 2) }
            _ = try await rig.phone("colleague", user: "staff-1")
            let said = #"{"tags":["staff"],"attributes":{"role":"staff"}}"#
            #expect(try await rig.call(.put, "/v1/users/staff-1", said).status == 200)
            if !isPhoneFirst { try await pretend(rig, impostor.secret, 2) }
            #expect(try await rig.call(.put, "/v1/segments/staff", #"{"audience":{"tag":"staff"}}"#).status == 200)
            for (audience, count) in zip(Self.staff, [1, 1, 0, 0, 1, 1]) {
                #expect(try await matched(rig, audience) == count, "\(audience)")
            }
            let start = try await rig.call(.post, "/v1/activities/alarm/start", Self.start + #"{"tag":"staff"}}"#)
            #expect((start.status, start["starting"]?.integer) == (202, 1), "\(start.text)")
            let warnings = start["warnings"]?.array?.compactMap(\.string) ?? []
            #expect(warnings.contains { $0.contains("Phones report the tag staff, but the backend") } == isPhoneFirst)
            // It reads nothing of the activity, and has no card.
            let card = #"{"name":"alarm","type":"Match"}"#
            #expect(try await rig.call(.post, "/v1/device/card", card, key: impostor.secret).status == 404)
            // What the backend never said is a phone's to say.
            #expect(try await matched(rig, #"{"tag":"fans"}"#) == 1)
            #expect(try await matched(rig, #"{"attribute":{"name":"city","is":"Paris"}}"#) == 1)
            // The name stays the backend's when no user has it any more.
            #expect(
                try await rig.call(.put, "/v1/users/staff-1", #"{"tags":[],"attributes":{"role":null}}"#).status == 200)
            let gone = try await rig.call(.post, "/v1/activities/b/start", Self.start + #"{"tag":"staff"}}"#)
            #expect(gone["starting"]?.integer == 0)
            #expect(gone.text.contains("Only phones report the tag staff, and their reports"), "\(gone.text)")
        }
    }

    @Test func `A name that the backend gives a device is its own, and another app's is not`() async throws {
        try await Rig.run { rig in
            let impostor = try await rig.phone("impostor")
            let chosen = try await rig.phone("chosen")
            #expect(try await rig.call(.patch, "/v1/devices/\(chosen.id)", #"{"tags":["staff"]}"#).status == 200)
            try await pretend(rig, impostor.secret, 2)
            #expect(try await matched(rig, #"{"tag":"staff"}"#) == 1)
            #expect(try await matched(rig, #"{"tag":{"name":"staff","of":"backend"}}"#) == 1)
            #expect(try await matched(rig, #"{"tag":{"name":"fans","of":"backend"}}"#) == 0)
            #expect(try await rig.store.read { try $0.backendName(.tag("staff"), in: AppID(rawValue: 2)) } == nil)
        }
    }

    @Test func `An app may believe phones under names that it declares open`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one")
            try await pretend(rig, phone.secret, 2)
            _ = try await rig.call(.put, "/v1/users/u", #"{"tags":["fans","staff"],"attributes":{"city":"Ankara"}}"#)
            #expect(try await matched(rig, #"{"tag":"fans"}"#) == 0)
            let path = "/v1/apps/org.example.match/privacy"
            let app = try await rig.call(.put, path, #"{"openNames":{"tags":["fans"],"attributes":["city"]}}"#)
            #expect(app["openNames"] == ["tags": ["fans"], "attributes": ["city"]], "\(app.text)")
            #expect(try await matched(rig, #"{"tag":"fans"}"#) == 1)
            #expect(try await matched(rig, #"{"attribute":{"name":"city","is":"Paris"}}"#) == 1)
            #expect(try await matched(rig, #"{"tag":"staff"}"#) == 0)
            for (body, field) in [
                ("{}", "activities"), (#"{"openNames":{"tags":[""]}}"#, "openNames.tags[0]"),
                (#"{"openNames":{"groups":[]}}"#, "openNames.groups"),
            ] {
                let refused = try await rig.call(.put, path, body)
                #expect((refused.status, refused.field) == (422, field), "\(refused.text)")
            }
            #expect(try await rig.call(.put, path, #"{"openNames":{}}"#)["openNames"] == nil)
            #expect(try await matched(rig, #"{"tag":"fans"}"#) == 0)
        }
    }

    @Test func `Where proofs are required, only a proven user's phone is believed`() async throws {
        try await Rig.run { rig in
            let nobody = try await rig.phone("nobody")
            let impostor = try await rig.phone("impostor", user: "staff-1")
            for phone in [nobody, impostor] { try await pretend(rig, phone.secret, 2) }
            let pem = JSONValue.string(P256.Signing.PrivateKey().publicKey.pemRepresentation).text
            #expect(try await rig.call(.put, "/v1/identity/keys/one", #"{"publicKey":\#(pem)}"#).status == 200)
            _ = try await rig.call(.put, "/v1/users/staff-1", #"{"tags":["staff"]}"#)
            for audience in Self.staff.dropLast(2) + [
                #"{"tag":"fans"}"#, #"{"attribute":{"name":"city","is":"Paris"}}"#,
            ] {
                #expect(try await matched(rig, audience) == 0, "\(audience)")
            }
            // What the backend says of the phone itself needs no user.
            #expect(try await rig.call(.patch, "/v1/devices/\(nobody.id)", #"{"tags":["fans"]}"#).status == 200)
            #expect(try await matched(rig, #"{"tag":"fans"}"#) == 1)
        }
    }
}
