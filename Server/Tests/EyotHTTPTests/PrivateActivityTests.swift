import Crypto
import EyotContract
import EyotDomain
import HTTPTypes
import Testing

/// R12: a device reads and joins only the activities that it belongs to.
@Suite("Private and public activities")
struct PrivateActivityTests {
    private static let secretState = #"{"address":"Baker Street 221b"}"#

    private func makePrivate(_ rig: Rig) async throws {
        let path = "/v1/apps/org.example.match/privacy"
        let reply = try await rig.call(.put, path, #"{"activities":"private"}"#)
        #expect(reply["activities"]?.string == "private", "\(reply.text)")
    }

    private func declare(_ rig: Rig, _ name: String = "order", _ members: String = "") async throws {
        let reply = try await rig.call(
            .put, "/v1/activities/\(name)", #"{"contentState":\#(Self.secretState)\#(members)}"#)
        #expect(reply.status == 202, "\(reply.text)")
    }

    /// What a phone gets that says that it has a card of a name, and then asks for it.
    private func isOpen(_ rig: Rig, _ phone: String, _ sequence: Int, _ name: String = "order") async throws -> Bool {
        let told = try await rig.changes(
            phone, Rig.card(sequence, "card-\(sequence)", name: name, token: "t\(sequence)"))
        #expect(told.status == 200)
        #expect(told["applied"]?.integer == sequence)
        let asked = try await rig.call(
            .post, "/v1/device/card", #"{"name":"\#(name)","type":"Match"}"#, key: phone)
        let isTold = told.text.contains("Baker Street")
        #expect(asked.text.contains("Baker Street") == isTold, "\(asked.text)")
        if !isTold {
            #expect(told["cards"] == [])
            #expect(asked.code == "activityUnknown")
            let channel = try await rig.call(.post, "/v1/device/channel", #"{"name":"\#(name)"}"#, key: phone)
            #expect(channel.code == "activityUnknown")
            let unknown = try await rig.call(.post, "/v1/device/card", #"{"name":"none","type":"Match"}"#, key: phone)
            let sameWords = asked["detail"]?.string?.replacing(name, with: "none")
            #expect(unknown["detail"]?.string == sameWords)
        }
        return isTold
    }

    private func replicas(_ rig: Rig, _ name: String = "order") async throws -> Int {
        try await rig.call(.get, "/v1/activities/\(name)/replicas")["replicas"]?.array?.count ?? -1
    }

    @Test func `A new app's activities are private, unless it says otherwise`() async throws {
        try await Rig.run { rig in
            for (member, said) in [("", "private"), (#","activities":"public""#, "public")] {
                let body = #"{"bundleID":"org.example.\#(said)","name":"n"\#(member)}"#
                #expect(try await rig.call(.post, "/v1/apps", body, key: rig.operatorKey).status == 201)
                let app = try await rig.call(.get, "/v1/apps/org.example.\(said)", key: rig.operatorKey)
                #expect(app["activities"]?.string == said)
            }
            let wrong = try await rig.call(
                .put, "/v1/apps/org.example.match/privacy", #"{"activities":"open"}"#)
            #expect(wrong.field == "activities")
        }
    }

    @Test func `A phone that guesses a name learns nothing and joins nothing, until the activity is public`()
        async throws
    {
        try await Rig.run { rig in
            try await makePrivate(rig)
            let stranger = try await rig.phone("stranger", hasStartToken: false).secret
            try await declare(rig)
            #expect(try await isOpen(rig, stranger, 1) == false)
            #expect(try await replicas(rig) == 0)
            #expect(
                try await rig.call(.post, "/v1/activities/order/update", #"{"contentState":{"n":2}}"#).status == 202)
            #expect(try await replicas(rig) == 0)
            try await declare(rig, "order", #","public":true"#)
            #expect(try await rig.call(.get, "/v1/activities/order")["public"] == true)
            #expect(try await isOpen(rig, stranger, 2))
            try await declare(rig, "order", #","public":false"#)
            let other = try await rig.phone("other", hasStartToken: false).secret
            #expect(try await isOpen(rig, other, 1) == false)
            // Who has joined stays.
            #expect(try await replicas(rig) == 1)
        }
    }

    @Test(
        "A place under a name that nobody declared is worth nothing when the first declaration is for others",
        arguments: [#"{"user":"anna"}"#, #"{"tag":"vip"}"#, #"{"and":["all",{"user":"anna"}]}"#], ["put", "start"])
    func squatters(audience: String, verb: String) async throws {
        try await Rig.run { rig in
            try await makePrivate(rig)
            let squatter = try await rig.phone("squatter", user: "mallory").secret
            let anna = try await rig.phone("annas", user: "anna", tags: ["vip"]).secret
            for (phone, sequence) in [(squatter, 3), (anna, 4)] {
                let card = Rig.card(sequence, "card-\(sequence)", name: "order", token: "t\(sequence)")
                #expect(try await rig.changes(phone, card)["applied"]?.integer == sequence)
            }
            let places = try await rig.call(.get, "/v1/activities/order/replicas")
            #expect(places["replicas"]?.array?.count == 2, "\(places.text)")
            let body =
                #"{"type":"Match","attributes":{},"contentState":\#(Self.secretState),"audience":\#(audience),"#
                + #""alert":{"title":"t","body":"b"}}"#
            let path = "/v1/activities/order" + (verb == "put" ? "" : "/start")
            let declared = try await rig.call(verb == "put" ? .put : .post, path, body)
            #expect(declared.status == 202, "\(declared.text)")
            #expect(try await isOpen(rig, anna, 5))
            // The card that it has, another card, and what is declared later.
            #expect(try await isOpen(rig, squatter, 6) == false)
            let update = try await rig.call(
                .post, "/v1/activities/order/update", #"{"contentState":\#(Self.secretState)}"#)
            #expect(update.status == 202)
            #expect(try await isOpen(rig, squatter, 7) == false)
        }
    }

    @Test func `A card that an app starts itself is its phone's, if it is told of before anything is declared`()
        async throws
    {
        try await Rig.run { rig in
            try await makePrivate(rig)
            let customer = try await rig.phone("customer", hasStartToken: false).secret
            let stranger = try await rig.phone("stranger", hasStartToken: false).secret
            let told = try await rig.changes(customer, Rig.card(1, "card", name: "order", token: "t"))
            #expect(told.status == 200)
            try await declare(rig)
            #expect(try await replicas(rig) == 1)
            #expect(try await isOpen(rig, customer, 2))
            #expect(try await isOpen(rig, stranger, 1) == false)
        }
    }

    @Test func `A phone joins what was started for it`() async throws {
        try await Rig.run { rig in
            try await makePrivate(rig)
            let anna = try await rig.phone("one", user: "anna").secret
            let start = Body.start.replacing(#""all""#, with: #"{"user":"anna"}"#)
                .replacing(#"{"n":1}"#, with: Self.secretState)
            #expect(try await rig.call(.post, "/v1/activities/order/start", start)["starting"]?.integer == 1)
            #expect(try await isOpen(rig, anna, 2))
            // A second phone that claims the user anna without a proof has no rights of hers.
            let claimed = try await rig.phone("two", user: "anna", hasStartToken: false).secret
            #expect(try await isOpen(rig, claimed, 1) == false)
        }
    }

    @Test func `A proven user joins what was started for them, and an unproven card waits for its user`() async throws {
        try await Rig.run { rig in
            try await makePrivate(rig)
            let key = P256.Signing.PrivateKey()
            let body = JSONValue.object(JSONObject([("publicKey", .string(key.publicKey.pemRepresentation))])).text
            #expect(try await rig.call(.put, "/v1/identity/keys/k", body).status == 200)
            let start = Body.start.replacing(#""all""#, with: #"{"or":[{"user":"anna"},{"tag":"x"}]}"#)
                .replacing(#"{"n":1}"#, with: Self.secretState)
            _ = try await rig.call(.post, "/v1/activities/order/start", start)
            for (user, isHers) in [("anna", true), ("bert", false)] {
                let phone = try await rig.phone("of-\(user)", hasStartToken: false).secret
                let token = try Proofs.token(key, user: user)
                let reply = try await rig.changes(
                    phone, #"{"sequence":1,"kind":"identify","user":"\#(user)","signature":"\#(token)"}"#)
                #expect(reply["identity"] == nil)
                #expect(try await isOpen(rig, phone, 2) == isHers)
            }
            let nobody = try await rig.phone("nobody", hasStartToken: false).secret
            #expect(try await rig.changes(nobody, Rig.card(1, "c", name: "early", token: "t")).status == 200)
            try await declare(rig, "early")
            #expect(try await replicas(rig, "early") == 0)
        }
    }

    @Test func `What is broadcast is public, unless it is said not to be`() async throws {
        try await Rig.run { rig in
            try await makePrivate(rig)
            try await declare(rig, "order", #","channel":true,"type":"Match""#)
            #expect(try await rig.call(.get, "/v1/activities/order")["public"] == true)
            try await declare(rig, "closed", #","channel":true,"type":"Match","public":false"#)
            let phone = try await rig.phone("one", hasStartToken: false).secret
            #expect(try await isOpen(rig, phone, 1, "closed") == false)
        }
    }
}
