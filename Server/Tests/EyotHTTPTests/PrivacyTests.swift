import EyotCommands
import EyotContract
import EyotDomain
import Testing

@Suite("What is kept of a person")
struct PrivacyTests {
    @Test func `It is shown as a whole, and tokens never whole`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "anna", tags: ["fans"])
            _ = try await rig.phone("two", user: "anna")
            _ = try await rig.phone("three", user: "bert")
            _ = try await rig.changes(phone.secret, Rig.card(2, "i1", token: "card"))
            let export = try await rig.call(.get, "/v1/users/anna/export")
            #expect(export.status == 200 && export["isComplete"]?.bool == true, "\(export.text)")
            #expect(export["user", "tags", "0"]?.string == "fans")
            #expect(export["devices"]?.array?.count == 2)
            let device = try #require(export["devices", "0"])
            #expect(export["devices", "0", "installation"]?.string == "one")
            #expect(export["devices", "0", "startTokens", "0", "type"]?.string == "Match")
            #expect(export["devices", "0", "cards", "0", "activity"]?.string == "final")
            #expect(export["devices", "0", "cards", "0", "instance"]?.string == "i1")
            let events = export["devices", "0", "events"]?.array?.compactMap(\.object) ?? []
            #expect(events.contains { $0["type"] == "card.appeared" && $0["activity"] == "final" }, "\(export.text)")
            #expect(events.allSatisfy { $0["user"] == "anna" })
            for token in ["one", "card"] { #expect(!export.text.contains(Rig.token(token))) }
            #expect(!export.text.contains(phone.secret))
            let alone = try await rig.call(.get, "/v1/devices/\(phone.id)/export")
            #expect(alone["device"] == device)
            #expect(try await rig.call(.get, "/v1/users/anna/export", key: rig.other.api).code == "userUnknown")
            #expect(try await rig.call(.get, "/v1/devices/\(phone.id)/export", key: rig.other.api).status == 404)
        }
    }

    @Test func `A device that is removed is gone, its secret is refused, and it registers anew`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "anna", tags: ["fans"])
            _ = try await rig.changes(phone.secret, Rig.card(2, "i1", token: "card"))
            #expect(try await rig.call(.delete, "/v1/devices/\(phone.id)", key: rig.other.api).status == 404)
            #expect(try await rig.call(.delete, "/v1/devices/\(phone.id)").status == 204)
            let refused = try await rig.changes(phone.secret, Rig.card(3, "i1", token: "later"))
            #expect(refused.status == 401 && refused.code == "secretInvalid")
            #expect(try await rig.call(.get, "/v1/devices")["devices"]?.array?.isEmpty == true)
            #expect(try await rig.call(.get, "/v1/devices/\(phone.id)").code == "deviceUnknown")
            let left = try await rig.call(.get, "/v1/activities/final/replicas")
            #expect(left["replicas", "0", "phase"]?.string == "untracked", "\(left.text)")
            for word in ["i1", "anna", String(Rig.token("card").prefix(6))] { #expect(!left.text.contains(word)) }
            let again = try await rig.phone("one", user: "anna")
            #expect(again.id != phone.id)
            let answer = try await rig.changes(again.secret, Rig.card(2, "i1", token: "card"))
            #expect(answer.status == 200)
            let cards = try await rig.call(.get, "/v1/activities/final/replicas")
            #expect(cards["replicas", "1", "phase"]?.string == "live", "\(cards.text)")
            // Asked for again, it is as gone as before.
            #expect(try await rig.call(.delete, "/v1/devices/\(phone.id)").status == 204)
            #expect(try await rig.call(.delete, "/v1/devices/99").code == "deviceUnknown")
        }
    }

    @Test func `A user goes with all devices, and with more cards than one transaction takes`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "anna", tags: ["fans"])
            _ = try await rig.phone("two", user: "anna")
            let other = try await rig.phone("three", user: "bert")
            _ = try await rig.call(.patch, "/v1/users/anna", #"{"aliases":{"crm":"1"},"attributes":{"city":"Ankara"}}"#)
            let id = DeviceID(rawValue: try #require(Int64(phone.id)))
            try await rig.store.write { ledger in
                let device = try #require(try ledger.device(id))
                for index in 0..<(ForgetDevice.replicasAtOnce * 2 + 1) {
                    let activity = try ledger.insertActivity(
                        named: "m\(index)", in: device.app, generation: 1, type: "Match", at: Rig.start)
                    var replica = Replica(
                        activity: activity.id, ordinal: 1, device: device.id, phase: .waitingForToken,
                        createdAt: Rig.start)
                    replica.instance = "card-\(index)"
                    try ledger.insert(replica)
                }
            }
            #expect(try await rig.call(.delete, "/v1/users/anna").status == 204)
            let kept = try await rig.store.read { ledger in
                try ledger.replicas(
                    of: id, after: ActivityID(rawValue: 0), ordinal: 0, limit: 1_000)
            }
            #expect(kept.count == ForgetDevice.replicasAtOnce * 2 + 1)
            #expect(kept.allSatisfy { $0.instance == nil && $0.phase == .untracked })
            #expect(try await rig.call(.get, "/v1/users/anna").code == "userUnknown")
            #expect(try await rig.call(.delete, "/v1/users/anna").code == "userUnknown")
            let devices = try await rig.call(.get, "/v1/devices")
            #expect(devices["devices"]?.array?.count == 1 && devices["devices", "0", "id"]?.string == other.id)
            #expect(try await rig.call(.put, "/v1/users/bert", #"{"aliases":{"crm":"1"}}"#).status == 200)
        }
    }

    @Test func `Nothing that is left of a user names them, whoever else is named beside`() async throws {
        try await Rig.run { rig in
            let user = "anna%_\\@example.com"
            let path = "/v1/users/anna%25_%5C@example.com"
            try await rig.phone("one", user: #"anna%_\\@example.com"#)
            try await rig.phone("two", user: "bert")
            _ = try await rig.call(.put, "/v1/users/ANNA%25_%5C@example.com", #"{"tags":["other"]}"#)
            let audience = #"{"user":["anna%_\\@example.com","bert","ANNA%_\\@example.com"]}"#
            for name in ["one", "two"] {
                let started = try await rig.call(
                    .put, "/v1/activities/\(name)",
                    #"{"type":"Match","attributes":{},"contentState":{"n":1},"alert":\#(Body.alert),"audience":\#(audience)}"#
                )
                #expect(started.status == 202, "\(started.text)")
            }
            _ = try await rig.call(.put, "/v1/test-devices/mine", #"{"user":"anna%_\\@example.com"}"#)
            _ = try await rig.call(.put, "/v1/test-devices/other", #"{"user":"bert"}"#)
            try await rig.store.write { ledger in
                let app = try #require(try ledger.app(bundleID: "org.example.match")).id
                for name in [user, "bert"] {
                    try ledger.note(
                        IdentityFailure(
                            app: app, device: DeviceID(rawValue: 1), user: name, fault: .expired, isRefused: true,
                            at: Rig.start))
                }
                try ledger.put(
                    VendorRecord(
                        app: app, vendor: .eyot, id: "i", users: [user, "bert"], content: [:], endsAt: Rig.start + 60))
            }
            let removed = try await rig.call(.delete, path)
            #expect(removed.status == 204, "\(removed.text)")
            try await rig.store.read { ledger in
                let app = try #require(try ledger.app(bundleID: "org.example.match")).id
                for name in ["one", "two"] {
                    let users = try ledger.newestActivity(named: name, in: app)?.users
                    #expect(users == ["bert", "ANNA%_\\@example.com"])
                }
                #expect(try ledger.vendorRecord(.init(vendor: .eyot, id: "i"), in: app)?.users == ["bert"])
                #expect(try ledger.testDevices(of: app).map(\.name) == ["other"])
                #expect(try ledger.identityFailures(of: app, before: nil, limit: 9).map(\.user) == ["bert"])
            }
            let audit = try await rig.call(.get, "/v1/audit")
            #expect(audit.status == 200 && !audit.text.contains("anna"), "\(audit.text)")
        }
    }

    @Test func `What a phone says in the moment in which it is removed is lost with it`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            let id = DeviceID(rawValue: try #require(Int64(phone.id)))
            _ = try await rig.call(.delete, "/v1/devices/\(phone.id)")
            let batch = DeviceChangeBatch(
                epoch: 1,
                changes: [DeviceChange(sequence: 9, action: .cardSeen(Card(instance: "i", name: "n", type: "T")))])
            await #expect(throws: EyotError.self) {
                try await rig.store.write { _ = try ApplyChanges(Transaction($0, at: Rig.start))(batch, of: id) }
            }
        }
    }
}
