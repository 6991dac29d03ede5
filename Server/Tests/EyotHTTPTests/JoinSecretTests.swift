import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes
import NIOCore
import Testing

@testable import EyotHTTP

/// R12: who has an activity's join secret may join it.
@Suite("Join secrets")
struct JoinSecretTests {
    private static let path = "/v1/activities/order/join-secret"

    private func declare(_ rig: Rig, channel: Bool = false) async throws {
        let member = channel ? #","channel":true,"type":"Match","public":false"# : #","public":false"#
        let reply = try await rig.call(
            .put, "/v1/activities/order", #"{"contentState":{"address":"Baker Street 221b"}\#(member)}"#)
        #expect(reply.status == 202, "\(reply.text)")
    }

    private func make(_ rig: Rig) async throws -> String {
        let made = try await rig.call(.post, Self.path)
        #expect(made.status == 201, "\(made.text)")
        return try #require(made["joinSecret"]?.string)
    }

    /// What a phone gets that says that it has a card, with a secret where there is one.
    private func report(_ rig: Rig, _ phone: String, _ sequence: Int, _ secret: String?) async throws -> Reply {
        let member = secret.map { #","joinSecrets":{"order":"\#($0)"}"# } ?? ""
        let card = Rig.card(sequence, "card", name: "order", token: "t\(sequence)")
        return try await rig.call(
            .post, "/v1/device/changes", #"{"epoch":1,"changes":[\#(card)]\#(member)}"#, key: phone)
    }

    private func ask(_ rig: Rig, _ phone: String, _ secret: String?) async throws -> Reply {
        let member = secret.map { #","joinSecret":"\#($0)""# } ?? ""
        return try await rig.call(
            .post, "/v1/device/card", #"{"name":"order","type":"Match"\#(member)}"#, key: phone)
    }

    @Test func `A phone that shows the secret is told and joins, and stays when the secret goes`() async throws {
        try await Rig.run { rig in
            try await declare(rig)
            let secret = try await make(rig)
            let phone = try await rig.phone("one", hasStartToken: false).secret
            #expect(try await ask(rig, phone, secret).text.contains("Baker Street"))
            // The question alone is no card.
            #expect(try await ask(rig, phone, nil).code == "activityUnknown")
            #expect(try await report(rig, phone, 1, secret).text.contains("Baker Street"))
            #expect(try await rig.call(.delete, Self.path).status == 204)
            #expect(try await report(rig, phone, 2, nil).text.contains("Baker Street"))
            #expect(try await report(rig, phone, 3, "eyot_js_old").text.contains("Baker Street"))
            #expect(try await rig.call(.get, "/v1/activities/order/replicas")["replicas"]?.array?.count == 1)
        }
    }

    @Test func `A wrong secret is answered as none is, and so is one of another activity or app`() async throws {
        try await Rig.run { rig in
            try await declare(rig)
            let voided = try await make(rig)
            let right = try await make(rig)
            #expect(
                try await rig.call(
                    .put, "/v1/activities/second", #"{"contentState":{},"public":false}"#
                ).status == 202)
            let second = try #require(
                try await rig.call(.post, "/v1/activities/second/join-secret")["joinSecret"]?.string)
            let other = try await rig.call(
                .put, "/v1/activities/order", #"{"contentState":{},"public":false}"#, key: rig.other.api)
            #expect(other.status == 202)
            let foreign = try #require(
                try await rig.call(.post, Self.path, key: rig.other.api)["joinSecret"]?.string)
            let phone = try await rig.phone("one", hasStartToken: false).secret
            let none = try await (report(rig, phone, 1, nil), ask(rig, phone, nil))
            #expect(none.0["cards"] == [])
            #expect(none.1.status == 404)
            for (index, secret) in [voided, second, foreign, right + "x", "nonsense"].enumerated() {
                let told = try await report(rig, phone, 2 + index, secret)
                #expect(told.status == 200)
                #expect(told["cards"] == [])
                #expect(told.json?.object?.members.map(\.name) == none.0.json?.object?.members.map(\.name))
                #expect(try await ask(rig, phone, secret).text == none.1.text)
            }
            #expect(try await rig.call(.get, "/v1/activities/order/replicas")["replicas"] == [])
            #expect(try await report(rig, phone, 9, right).text.contains("Baker Street"))
        }
    }

    @Test func `A secret opens its generation alone, and the channel too`() async throws {
        try await Rig.run { rig in
            try await declare(rig, channel: true)
            let secret = try await make(rig)
            let phone = try await rig.phone("one", hasStartToken: false).secret
            func channel(_ secret: String) async throws -> String? {
                try await rig.call(
                    .post, "/v1/device/channel", #"{"name":"order","joinSecret":"\#(secret)"}"#, key: phone
                ).code
            }
            // Apple has made none yet.
            #expect(try await channel(secret) == "channelUnknown")
            #expect(try await channel("wrong") == "activityUnknown")
            #expect(try await rig.call(.post, "/v1/activities/order/end", "{}").status == 202)
            #expect(try await rig.call(.post, Self.path).code == "activityEnded")
            try await declare(rig)
            #expect(try await rig.call(.get, Self.path).code == "joinSecretUnknown")
            #expect(try await ask(rig, phone, secret).code == "activityUnknown")
        }
    }

    @Test func `It is shown once, and neither kept whole nor written down`() async throws {
        try await Rig.run { rig in
            #expect(try await rig.call(.post, Self.path).code == "activityUnknown")
            #expect(try await rig.call(.get, Self.path).code == "activityUnknown")
            try await declare(rig)
            for method in [HTTPRequest.Method.get, .delete] {
                let commits = await rig.store.commits
                #expect(try await rig.call(method, Self.path).code == "joinSecretUnknown")
                #expect(await rig.store.commits == commits)
            }
            let headers = ["Idempotency-Key": "k"]
            let made = try await rig.call(.post, Self.path, headers: headers)
            let secret = try #require(made["joinSecret"]?.string)
            #expect(Keyring.kind(of: secret) == .joinSecret)
            #expect(try await rig.call(.post, Self.path, headers: headers).code == "answerNotKept")
            let shown = try await rig.call(.get, Self.path)
            #expect(shown["madeAt"]?.string == "2022-12-18T15:00:00Z")
            #expect(shown["hint"]?.string.map { secret.hasPrefix($0.dropLast()) } == true)
            let audit = try await rig.call(.get, "/v1/audit")
            #expect(audit["changes", "0", "subject"]?.string == "name=order")
            for reply in [shown, audit] { #expect(!reply.text.contains(secret)) }
            let kept = try await rig.store.read { ledger in
                try ledger.app(bundleID: "org.example.match").flatMap {
                    try ledger.newestActivity(named: "order", in: $0.id)
                }.flatMap { try ledger.joinSecret(of: $0.id) }
            }
            #expect(kept?.hash == Keyring.hash(of: secret))
            #expect(!"\(String(describing: kept))".contains(secret))
        }
    }

    @Test func `Wrong ones count as unknown secrets of their address, and right ones wait behind them too`()
        async throws
    {
        var limits = CallLimits()
        limits.registrationsPerMinute = 2
        let gate = CallGate(limits)
        let address = try SocketAddress(ipAddress: "203.0.113.7", port: 50_000)
        let activity = ActivityID(rawValue: 7)
        func verdict(_ text: String, _ opened: ActivityID? = nil) throws -> CheckJoinSecrets.Verdict {
            CheckJoinSecrets.Verdict(secret: try #require(JoinSecret(text)), opened: opened)
        }
        func admit(_ verdicts: CheckJoinSecrets.Verdict...) async throws -> Set<ActivityID> {
            try await gate.admit(verdicts, from: address, at: Rig.start)
        }
        #expect(try await admit(verdict("known", activity)) == [activity])
        #expect(try await admit(verdict("a"), verdict("b")) == [])
        for late in [try verdict("c"), try verdict("right", activity)] {
            let problem = await #expect(throws: Problem.self) { try await admit(late) }
            #expect(problem?.error.code == .tooManyCalls)
        }
        #expect(try await admit(verdict("known", activity)) == [activity])
    }

    @Test func `A phone that may join anyway is not asked for one`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", hasStartToken: false)
            let ledgerRead = { @Sendable (name: String) in
                try await rig.store.read { ledger in
                    let device = try #require(try ledger.device(DeviceID(rawValue: Int64(phone.id) ?? 0)))
                    return try CheckJoinSecrets(Transaction(ledger, at: Rig.start))(
                        [name: try #require(JoinSecret("wrong"))], of: device
                    ).count
                }
            }
            // No call has mentioned the name yet, and the app's activities are public.
            #expect(try await ledgerRead("order") == 0)
            try await declare(rig)
            #expect(try await ledgerRead("order") == 1)
            #expect(try await report(rig, phone.secret, 1, try await make(rig)).status == 200)
            #expect(try await ledgerRead("order") == 0)
        }
    }
}
