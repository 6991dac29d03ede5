import Crypto
import EyotCommands
import EyotContract
import EyotDomain
import EyotIdentity
import Foundation
import Testing

/// How a phone proves who uses it.
@Suite("Signed identities")
struct IdentityTests {
    private static let keys = "/v1/identity/keys/"
    private let key = P256.Signing.PrivateKey()

    private func put(_ rig: Rig, _ id: String, _ pem: String) async throws -> Reply {
        let body = JSONValue.object(JSONObject([("publicKey", .string(pem))])).text
        return try await rig.call(.put, Self.keys + id, body)
    }

    private func identify(
        _ rig: Rig, _ secret: String, _ sequence: Int, _ user: String = "anna", _ token: String? = nil
    ) async throws -> Reply {
        let member = token.map { #","signature":"\#($0)""# } ?? ""
        return try await rig.changes(
            secret, #"{"sequence":\#(sequence),"kind":"identify","user":"\#(user)"\#(member)}"#)
    }

    private func user(_ rig: Rig) async throws -> String? {
        try await rig.call(.get, "/v1/devices")["devices", "0", "user"]?.string
    }

    @Test func `Without a key everybody is taken at their word, and the first key ends that`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "anna", hasStartToken: false)
            #expect(try await user(rig) == "anna")
            let before = try await rig.call(.get, "/v1/identity")
            #expect(before["mode"]?.string == "off")
            #expect(before["isDefault"] == true)
            #expect(try await put(rig, "first", key.publicKey.pemRepresentation)["algorithm"]?.string == "ES256")
            let after = try await rig.call(.get, "/v1/identity")
            #expect(after["mode"]?.string == "require")
            #expect(after["isDefault"] == nil)
            #expect(after["keys", "0", "id"]?.string == "first")
            // The phone keeps its user until it names another.
            #expect(try await user(rig) == "anna")
            let refused = try await identify(rig, phone.secret, 1)
            #expect(refused.status == 200)
            #expect(refused["applied"]?.integer == 1)
            #expect(refused["identity", "code"]?.string == "identityRefused")
            #expect(refused["identity", "reason"]?.string == "MISSING_TOKEN")
            #expect(refused["identity", "reasonCode"]?.integer == 26)
            #expect(try await user(rig) == nil)
            #expect(try await rig.call(.get, "/v1/identity", key: rig.other.api)["keys"] == [])
        }
    }

    private func devices(_ rig: Rig, in audience: String) async throws -> Int? {
        let reply = try await rig.call(.post, "/v1/audiences/count", #"{"audience":\#(audience)}"#)
        return reply["matched"]?.integer
    }

    @Test func `Who named a user without proof is not chosen once proofs are required, and loses the user`()
        async throws
    {
        try await Rig.run { rig in
            let audiences = [
                #"{"user":"anna"}"#, #"{"user":["anna","bert"]}"#, #"{"tag":"vip"}"#,
                #"{"not":{"not":{"user":"anna"}}}"#,
                #"{"attribute":{"name":"city","is":"Ankara"}}"#, #"{"alias":{"label":"crm","name":"1"}}"#,
            ]
            let mallory = try await rig.phone("mallory", user: "anna", hasStartToken: false)
            let anna = try await rig.phone("annas", hasStartToken: false)
            let traits = #"{"tags":["vip"],"attributes":{"city":"Ankara"},"aliases":{"crm":"1"}}"#
            #expect(try await rig.call(.put, "/v1/users/anna", traits).status == 200)
            for audience in audiences { #expect(try await devices(rig, in: audience) == 1, "\(audience)") }
            let early = try await rig.call(.post, "/v1/identity/drop-unproven", "{}")
            #expect((early.status, early.field) == (422, "mode"))
            _ = try await put(rig, "first", key.publicKey.pemRepresentation)
            for audience in audiences { #expect(try await devices(rig, in: audience) == 0, "\(audience)") }
            _ = try await identify(rig, anna.secret, 1, "anna", Proofs.token(key))
            for audience in audiences + [#"{"proven":true}"#, #"{"proven":false}"#] {
                #expect(try await devices(rig, in: audience) == 1, "\(audience)")
            }
            let dropped = try await rig.call(.post, "/v1/identity/drop-unproven", "{}")
            #expect(dropped.text == #"{"dropped":1}"#)
            let former = try await rig.call(.get, "/v1/devices/\(mallory.id)")
            #expect(former["user"] == nil)
            #expect(try await rig.call(.get, "/v1/devices/\(anna.id)")["provenBy"]?.string == "first")
            #expect(try await rig.call(.post, "/v1/identity/drop-unproven", "{}").text == #"{"dropped":0}"#)
        }
    }

    @Test(
        "What a key has proven is unproven when the key is removed or another takes its place",
        arguments: [true, false])
    func unprove(isReplaced: Bool) async throws {
        try await Rig.run { rig in
            let second = P256.Signing.PrivateKey()
            _ = try await put(rig, "first", key.publicKey.pemRepresentation)
            _ = try await put(rig, "second", second.publicKey.pemRepresentation)
            let anna = try await rig.phone("annas", hasStartToken: false)
            let bert = try await rig.phone("berts", hasStartToken: false)
            _ = try await identify(rig, anna.secret, 1, "anna", Proofs.token(key))
            _ = try await identify(rig, bert.secret, 1, "bert", Proofs.token(second, user: "bert"))
            // The same key once more changes nothing.
            _ = try await put(rig, "first", key.publicKey.pemRepresentation)
            #expect(try await devices(rig, in: #"{"proven":true}"#) == 2)
            if isReplaced {
                _ = try await put(rig, "first", P256.Signing.PrivateKey().publicKey.pemRepresentation)
            } else {
                #expect(try await rig.call(.delete, Self.keys + "first").status == 204)
            }
            #expect(try await devices(rig, in: #"{"user":"anna"}"#) == 0)
            #expect(try await devices(rig, in: #"{"user":"bert"}"#) == 1)
            _ = try await identify(rig, anna.secret, 2, "anna", Proofs.token(second))
            #expect(try await devices(rig, in: #"{"user":"anna"}"#) == 1)
        }
    }

    @Test func `A proof is asked for once, and again only for somebody else`() async throws {
        try await Rig.run { rig in
            _ = try await put(rig, "first", key.publicKey.pemRepresentation)
            let phone = try await rig.phone("one", hasStartToken: false)
            let taken = try await identify(rig, phone.secret, 1, "anna", Proofs.token(key))
            #expect(taken["identity"] == nil)
            let list = try await rig.call(.get, "/v1/devices")
            #expect(list["devices", "0", "user"]?.string == "anna")
            #expect(list["devices", "0", "isProven"] == true)
            rig.clock.advance(7_200)
            // The SDK tells its user with each registration; by then the token has expired.
            let again = try await rig.call(
                .post, "/v1/device/register", Rig.registration("one", user: "anna"), key: rig.match.app,
                headers: ["Eyot-Device-Secret": phone.secret])
            #expect(again["identity"] == nil, "\(again.text)")
            #expect(try await user(rig) == "anna")
            let bert = try await rig.changes(phone.secret, epoch: 2, #"{"sequence":1,"kind":"identify","user":"bert"}"#)
            #expect(bert["identity", "user"]?.string == "bert")
            #expect(try await user(rig) == nil)
            let back = try await rig.changes(phone.secret, epoch: 2, #"{"sequence":2,"kind":"identify","user":"anna"}"#)
            #expect(back["identity", "reason"]?.string == "MISSING_TOKEN")
        }
    }

    @Test func `A new phone that proves nothing is registered, as nobody's`() async throws {
        try await Rig.run { rig in
            _ = try await put(rig, "first", key.publicKey.pemRepresentation)
            let reply = try await rig.call(
                .post, "/v1/device/register", Rig.registration("one", user: "anna"), key: rig.match.app)
            #expect(reply.status == 201)
            #expect(reply["identity", "reason"]?.string == "MISSING_TOKEN")
            #expect(try await user(rig) == nil)
            let proven = try await rig.call(
                .post, "/v1/device/register",
                Rig.registration("two", user: "anna").dropLast() + #","signature":"\#(Proofs.token(key))"}"#,
                key: rig.match.app)
            #expect(proven.status == 201)
            #expect(proven["identity"] == nil)
            let list = try await rig.call(.get, "/v1/devices?user=anna")
            #expect(list["devices"]?.array?.count == 1)
        }
    }

    @Test func `A report takes everybody at their word, counts and lists`() async throws {
        try await Rig.run { rig in
            _ = try await put(rig, "first", key.publicKey.pemRepresentation)
            #expect(try await rig.call(.put, "/v1/identity/mode", #"{"mode":"report"}"#)["mode"]?.string == "report")
            let phone = try await rig.phone("one", hasStartToken: false)
            for number in 1...3 {
                let reply = try await identify(rig, phone.secret, number, "user-\(number)", "x.y.z")
                #expect(reply["identity"] == nil)
            }
            #expect(try await user(rig) == "user-3")
            let list = try await rig.call(.get, "/v1/identity/failures?limit=2")
            #expect(list["failures"]?.array?.map { $0.object?["user"]?.string } == ["user-3", "user-2"])
            #expect(list["failures", "0", "reason"]?.string == "DECODING_ERROR")
            #expect(list["failures", "0", "isRefused"] == false)
            #expect(!list.text.contains("x.y.z"))
            let rest = try await rig.call(.get, "/v1/identity/failures?before=\(list["next"]?.string ?? "")")
            #expect(rest["failures"]?.array?.count == 1)
            #expect(try await rig.call(.get, "/v1/identity")["failures"]?.integer == 3)
            #expect(try await rig.call(.put, "/v1/identity/mode", #"{"mode":"off"}"#).status == 200)
            #expect(try await identify(rig, phone.secret, 4, "dora").status == 200)
            #expect(try await rig.call(.get, "/v1/identity")["failures"]?.integer == 3)
        }
    }

    @Test func `An app has three keys, of kinds that are taken, and another app's prove nothing`() async throws {
        try await Rig.run { rig in
            let wrong = [
                "", "hello", Proofs.smallRSA, P384.Signing.PrivateKey().publicKey.pemRepresentation,
                key.pemRepresentation, String(repeating: "A", count: IdentityKey.textBytes + 1),
            ]
            for pem in wrong { #expect(try await put(rig, "k", pem).field == "publicKey", "\(pem.prefix(40))") }
            #expect(try await put(rig, "a", Proofs.rsa)["algorithm"]?.string == "RS256")
            for id in ["b", "c"] {
                #expect(try await put(rig, id, P256.Signing.PrivateKey().publicKey.pemRepresentation).status == 200)
            }
            #expect(try await put(rig, "d", key.publicKey.pemRepresentation).field == "id")
            #expect(try await put(rig, "c", key.publicKey.pemRepresentation).status == 200)
            #expect(try await rig.call(.delete, Self.keys + "b").status == 204)
            #expect(try await rig.call(.delete, Self.keys + "b").code == "identityKeyUnknown")
            #expect(try await rig.call(.delete, Self.keys + "a", key: rig.other.api).code == "identityKeyUnknown")
            let phone = try await rig.phone("one", hasStartToken: false)
            #expect(try await identify(rig, phone.secret, 1, "anna", Proofs.rsaToken)["identity"] == nil)
            #expect(
                try await identify(rig, phone.secret, 2, "bert", Proofs.token(key, user: "bert"))["identity"] == nil)
            #expect(try await user(rig) == "bert")
            // Without keys no proof is possible, and the server does not accept a user without a proof.
            for id in ["a", "c"] { #expect(try await rig.call(.delete, Self.keys + id).status == 204) }
            let none = try await identify(rig, phone.secret, 3, "anna", Proofs.token(key))
            #expect(none["identity", "reason"]?.string == "PUBLIC_KEY_ERROR")
        }
    }

    @Test func `What is wrong with a proof is said in one of nine words`() async throws {
        let verifier = JWTVerifier()
        func pem(_ text: String, _ kind: IdentityKey.Kind = .p256) -> IdentityKey {
            IdentityKey(app: AppID(rawValue: 1), id: "k", kind: kind, text: text, addedAt: Rig.start)
        }
        let own = pem(key.publicKey.pemRepresentation)
        let other = pem(P256.Signing.PrivateKey().publicKey.pemRepresentation)
        let good = try Proofs.token(key)
        let hmac = try Proofs.token(key, header: #"{"alg":"HS256"}"#)
        let none = good.split(separator: ".").dropLast().joined(separator: ".") + "."
        let cases: [(IdentityFault?, String?, [IdentityKey])] = [
            (nil, good, [own]), (nil, good, [other, own]), (nil, Proofs.rsaToken, [own, pem(Proofs.rsa, .rsa)]),
            (.missingToken, nil, [own]), (.decodingError, "a.b", [own]), (.decodingError, good + "=", [own]),
            (.decodingError, try Proofs.token(key, header: #"{"alg":"ES256","crit":["x"]}"#), [own]),
            (.expirationRequired, try Proofs.token(key, expiry: nil), [own]),
            (.expired, try Proofs.token(key, expiry: "1671375539"), [own]),
            (nil, try Proofs.token(key, expiry: "1671375541"), [own]),
            (.invalidPayload, try Proofs.token(key, expiry: #""soon""#), [own]),
            (.invalidPayload, try Proofs.token(key, user: nil), [own]),
            (.invalidPayload, try Proofs.token(key, further: #","nbf":1671375700"#), [own]),
            (.subjectMismatch, try Proofs.token(key, user: "bert"), [own]),
            (.incorrectAlgorithm, hmac, [own]), (.incorrectAlgorithm, good, [pem(Proofs.rsa, .rsa)]),
            (.incorrectAlgorithm, try Proofs.token(key, header: #"{"alg":"none"}"#), [own]),
            (.noMatchingPublicKeys, good, [other]), (.noMatchingPublicKeys, none, [own]),
            (.noMatchingPublicKeys, String(good.dropLast(4)) + "AAAA", [own]),
            (.publicKeyError, good, []), (.publicKeyError, good, [pem("broken")]),
        ]
        for (fault, proof, keys) in cases {
            let found = await verifier.finding(
                of: proof, for: "anna", keys: keys, on: ProofTerms(), at: Rig.start)
            switch found {
            case .holds(let id, _): #expect(fault == nil && keys.contains { $0.id == id }, "\(proof ?? "-")")
            case .fails(let found): #expect(found == fault, "\(proof ?? "-")")
            }
        }
        // Whether another phone has shown it is asked elsewhere.
        #expect(Set(cases.compactMap(\.0)) == Set(IdentityFault.allCases).subtracting([.replayed]))
        #expect(Set(IdentityFault.allCases.map(\.number)) == [10, 20, 21, 22, 23, 24, 25, 26, 27, 28])
    }

    @Test func `A token is for the app that it says, from whom it says, and for no longer than the app allows`()
        async throws
    {
        let own = IdentityKey(
            app: AppID(rawValue: 1), id: "k", kind: .p256, text: key.publicKey.pemRepresentation, addedAt: Rig.start)
        var terms = ProofTerms()
        (terms.issuer, terms.audience, terms.longestSeconds) = ("shop", "cup", 3_600)
        func isGood(_ further: String, expiry: String = "\(Proofs.expiry)") async throws -> Bool {
            let proof = try Proofs.token(key, expiry: expiry, further: further)
            let found = await JWTVerifier().finding(of: proof, for: "anna", keys: [own], on: terms, at: Rig.start)
            if case .fails(let fault) = found { #expect(fault == .invalidPayload) }
            return if case .holds = found { true } else { false }
        }
        #expect(try await isGood(#","iss":"shop","aud":"cup""#))
        #expect(try await isGood(#","iss":"shop","aud":["web","cup"]"#))
        for wrong in [
            "", #","iss":"shop""#, #","aud":"cup""#, #","iss":"shop","aud":["web"]"#, #","iss":"x","aud":"cup""#,
        ] {
            #expect(try await !isGood(wrong), "\(wrong)")
        }
        #expect(try await !isGood(#","iss":"shop","aud":"cup""#, expiry: "1671379261"))
        terms = ProofTerms()
        #expect(try await !isGood("", expiry: "99999999999"))
        #expect(try await isGood("", expiry: "\(1_671_375_600 + ProofTerms.usualLongest)"))
    }

    @Test(arguments: [false, true])
    func `A token that another phone has shown is counted, or proves nothing where the app says so`(isOne: Bool)
        async throws
    {
        try await Rig.run { rig in
            #expect(try await put(rig, "a", key.publicKey.pemRepresentation).status == 200)
            let terms = try await rig.call(.put, "/v1/identity/terms", #"{"oneDevice":\#(isOne)}"#)
            #expect(terms["terms", "oneDevice"]?.bool == isOne, "\(terms.text)")
            let (first, second) = (
                try await rig.phone("one", hasStartToken: false), try await rig.phone("two", hasStartToken: false)
            )
            let token = try Proofs.token(key)
            #expect(try await identify(rig, first.secret, 1, "anna", token)["identity"] == nil)
            // The same phone may show its token again, also after another user has used the phone.
            #expect(try await identify(rig, first.secret, 2, "anna", token)["identity"] == nil)
            let replayed = try await identify(rig, second.secret, 1, "anna", token)
            #expect(replayed["identity", "reason"]?.string == (isOne ? "REPLAYED" : nil))
            #expect(try await devices(rig, in: #"{"user":"anna"}"#) == (isOne ? 1 : 2))
            let failure = try await rig.call(.get, "/v1/identity/failures")["failures", "0"]
            #expect(failure?.object?["reasonCode"]?.integer == 28)
            #expect(failure?.object?["isRefused"]?.bool == isOne)
            // Registering is no way around it, and a token of its own is one in.
            let again = try await rig.call(
                .post, "/v1/device/register",
                Rig.registration("three").replacing(
                    #""installation""#, with: #""user":"anna","signature":"\#(token)","installation""#),
                key: rig.match.app)
            #expect(again["identity", "reason"]?.string == (isOne ? "REPLAYED" : nil), "\(again.text)")
            let own = try Proofs.token(key, further: #","jti":"2""#)
            #expect(try await identify(rig, second.secret, 2, "anna", own)["identity"] == nil)
            #expect(try await rig.call(.put, "/v1/identity/terms", #"{"longestSeconds":0}"#).field == "longestSeconds")
        }
    }
}
