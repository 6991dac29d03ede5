import EyotContract
import EyotDomain
import Testing

/// What Airship's calls say one after another, in one array and in several calls.
@Suite struct `Airship's API, call after call` {
    private func run(_ body: @Sendable @escaping (Rig, VendorCaller) async throws -> Void) async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna", tags: ["fans"])
            try await rig.phone("two", user: "bert", tags: ["press"])
            try await body(rig, try await rig.caller(of: .airship))
        }
    }

    private static func card(_ event: String, _ members: String, audience: String = #""all""#) -> String {
        `Airship's API`.body(#"{"event":"\#(event)",\#(members)}"#, audience: audience)
    }

    private static func start(
        _ name: String? = nil, state: String, attributes: String = #"{"gameID":"game"}"#, audience: String = #""all""#,
        more: String = ""
    ) -> String {
        let name = name.map { #""name":"\#($0)","# } ?? ""
        return card(
            "start",
            #"\#(name)"attributes_type":"Match","attributes":\#(attributes),"content_state":{"n":\#(state)}\#(more),"#
                + #""alert":{"title":"Kick-off","body":"Now"}"#, audience: audience)
    }

    private static func update(_ state: String, audience: String = #""all""#, more: String = "") -> String {
        card("update", #""name":"game","content_state":{"n":\#(state)}\#(more)"#, audience: audience)
    }

    @discardableResult
    private func push(_ rig: Rig, _ caller: VendorCaller, _ objects: String...) async throws -> Reply {
        let body = objects.count == 1 ? objects[0] : "[\(objects.joined(separator: ","))]"
        let reply = try await rig.post(`Airship's API`.push, body, by: caller, of: .airship)
        #expect(reply.status == 202, "\(reply.text)")
        return reply
    }

    /// What the card of a phone is to show.
    private func shown(_ rig: Rig, _ instance: String) async throws -> String? {
        try await rig.store.read { ledger in
            let app = try #require(try ledger.app(bundleID: "org.example.match"))
            let activity = try #require(try ledger.newestActivity(named: "game", in: app.id))
            let replicas = try ledger.replicas(of: activity.id, after: 0, limit: 100)
            let replica = try #require(replicas.first { $0.instance == instance || instance == "\($0.ordinal)" })
            return try ledger.declaration(replica.desiredState(in: activity), of: activity.id)?.content.state?.text
        }
    }

    // MARK: Arrays

    @Test func `An array is done in its order: an update's audience finds those whom the start before it started`()
        async throws
    {
        try await run { rig, caller in
            let reply = try await push(
                rig, caller, Self.start("game", state: "1"), Self.update("2", audience: #"{"tag":"fans"}"#))
            #expect(reply["warnings"] == nil, "\(reply.text)")
            #expect(try await rig.declared("game")?.scope == .members(count: 1))
            #expect(try await shown(rig, "1") == #"{"n":2}"#)
            #expect(try await shown(rig, "2") == #"{"n":1}"#)
        }
    }

    @Test func `So does the one of a name that ends and begins anew in the same array, or that runs already`()
        async throws
    {
        try await run { rig, caller in
            try await push(rig, caller, Self.start("game", state: "1"))
            let fans = Self.update("3", audience: #"{"tag":"fans"}"#)
            try await push(rig, caller, Self.card("end", #""name":"game""#), Self.start("game", state: "2"), fans)
            #expect(try await rig.activity("game")["generation"]?.integer == 2)
            #expect(try await rig.declared("game")?.scope == .members(count: 1))
            #expect(try await shown(rig, "1") == #"{"n":3}"#)
            rig.clock.advance(1)
            try await rig.phone("three", user: "carl", tags: ["fans"])
            try await push(rig, caller, Self.start("game", state: "4"), fans.replacing("3", with: "5"))
            #expect(try await rig.declared("game")?.scope == .members(count: 2))
            #expect(try await shown(rig, "3") == #"{"n":5}"#)
        }
    }

    @Test func `An update without a state goes with that of the update before it in the array`() async throws {
        try await run { rig, caller in
            try await push(rig, caller, Self.start("game", state: "1"))
            try await push(
                rig, caller, Self.update("2"),
                Self.card("update", #""name":"game","alert":{"title":"Still","body":"On"}"#))
            #expect(try await rig.declared("game")?.content.state?.text == #"{"n":2}"#)
            let none = try await push(rig, caller, Self.card("update", #""name":"none","priority":10"#))
            #expect(none["warnings"]?.text.contains("no state to repeat") == true)
        }
    }

    // MARK: Starts without a name

    /// A start without a name that has led to a card, which its app calls `game`.
    private func begin(
        _ rig: Rig, _ caller: VendorCaller, _ phone: String, state: String, attributes: String = #"{"gameID":"game"}"#
    ) async throws -> String {
        let secret = try await rig.phone(phone, user: phone, tags: [phone]).secret
        try await push(
            rig, caller, Self.start(state: state, attributes: attributes, audience: #"{"tag":"\#(phone)"}"#))
        try await rig.leaveAllStarts()
        return secret
    }

    private func name(_ rig: Rig, _ secret: String, _ card: String, sequence: Int = 2) async throws -> Reply {
        try await rig.changes(secret, Rig.card(sequence, card, name: "game", token: card))
    }

    @Test func `The card of a start without a name shows its state, though the name runs with an older one`()
        async throws
    {
        try await run { rig, caller in
            let first = try await begin(rig, caller, "eva", state: "1")
            _ = try await name(rig, first, "a")
            try await push(rig, caller, Self.update("2"))
            rig.clock.advance(60)
            let second = try await begin(rig, caller, "finn", state: "3")
            let answer = try await name(rig, second, "b")
            #expect(answer["cards", "0", "contentState"]?.text == #"{"n":3}"#, "\(answer.text)")
            #expect(try await shown(rig, "a") == #"{"n":2}"#)
            #expect(try await shown(rig, "b") == #"{"n":3}"#)
            // Its alert was given with the start.
            #expect(try await rig.declared("game")?.content.alert == nil)
            try await push(rig, caller, Self.update("4"))
            #expect(try await shown(rig, "b") == #"{"n":4}"#)
        }
    }

    @Test func `All cards of such a start share what was declared, and what was said since is newer`() async throws {
        try await run { rig, caller in
            let first = try await begin(rig, caller, "eva", state: "1")
            _ = try await name(rig, first, "a")
            try await push(rig, caller, Self.update("2"))
            rig.clock.advance(60)
            var secrets: [String] = []
            for phone in ["f", "g", "h"] {
                secrets.append(try await rig.phone(phone, user: phone, tags: ["late"]).secret)
            }
            try await push(rig, caller, Self.start(state: "3", audience: #"{"tag":"late"}"#))
            try await rig.leaveAllStarts()
            for (index, secret) in secrets.prefix(2).enumerated() { _ = try await name(rig, secret, "late\(index)") }
            #expect(try await rig.activity("game")["version"]?.integer == 2)
            #expect(try await shown(rig, "late1") == #"{"n":3}"#)
            rig.clock.advance(60)
            try await push(rig, caller, Self.update("4"))
            _ = try await name(rig, secrets[2], "late2")
            #expect(try await shown(rig, "late2") == #"{"n":4}"#)
            #expect(try await rig.activity("game")["version"]?.integer == 3)
        }
    }

    @Test
    func `Of several starts a card has come from the one whose attributes say its name; from any, it is told nothing`()
        async throws
    {
        try await run { rig, caller in
            let first = try await begin(rig, caller, "eva", state: "1")
            _ = try await name(rig, first, "a")
            try await push(rig, caller, Self.update("2"))
            rig.clock.advance(60)
            let secret = try await begin(rig, caller, "finn", state: "8", attributes: #"{"gameID":"other"}"#)
            try await push(rig, caller, Self.start(state: "3", audience: #"{"tag":"finn"}"#))
            try await rig.leaveAllStarts()
            _ = try await name(rig, secret, "b")
            #expect(try await shown(rig, "b") == #"{"n":3}"#)
            let unclear = try await begin(rig, caller, "gus", state: "8", attributes: #"{"gameID":"other"}"#)
            let third = Self.start(state: "9", attributes: #"{"gameID":"third"}"#, audience: #"{"tag":"gus"}"#)
            try await push(rig, caller, third)
            try await rig.leaveAllStarts()
            _ = try await name(rig, unclear, "c")
            #expect(try await shown(rig, "c") == #"{"n":2}"#)
        }
    }

    @Test func `What is said of a name before any phone has said it waits for the cards of the start that says it`()
        async throws
    {
        try await run { rig, caller in
            let secret = try await begin(rig, caller, "eva", state: "1")
            let reply = try await push(rig, caller, Self.update("2"))
            #expect(reply["warnings"] == nil, "\(reply.text)")
            let answer = try await name(rig, secret, "a")
            #expect(answer["cards", "0", "contentState"]?.text == #"{"n":2}"#, "\(answer.text)")
            #expect(try await shown(rig, "a") == #"{"n":2}"#)
            // A scoped update cannot be matched to a start that no phone has answered yet.
            let scoped = try await push(
                rig, caller, Self.update("3", audience: #"{"tag":"eva"}"#).replacing("game", with: "b"))
            #expect(scoped["warnings"]?.text.contains("there is no activity b") == true)
        }
    }

    @Test func `An end that overtakes the cards of a start without a name ends them when they come`() async throws {
        try await run { rig, caller in
            let secret = try await begin(rig, caller, "eva", state: "1")
            let end = try await push(rig, caller, Self.card("end", #""name":"game""#))
            #expect(end["warnings"] == nil, "\(end.text)")
            #expect(try await rig.declared("game")?.content.state?.text == #"{"n":1}"#)
            let answer = try await name(rig, secret, "a")
            #expect(answer["cards", "0", "ends"]?.bool == true, "\(answer.text)")
            #expect(try await rig.activity("game")["generation"]?.integer == 1)
            // Nothing more is on its way.
            let late = try await push(rig, caller, Self.update("2"))
            #expect(late["warnings"]?.text.contains("has ended") == true, "\(late.text)")
        }
    }

    @Test func `In an array a start without a name comes after what stands before it`() async throws {
        try await run { rig, caller in
            let first = try await begin(rig, caller, "eva", state: "1")
            _ = try await name(rig, first, "a")
            try await push(rig, caller, Self.update("2"))
            rig.clock.advance(60)
            let secret = try await rig.phone("finn", user: "finn", tags: ["finn"]).secret
            let start = Self.start(state: "4", audience: #"{"tag":"finn"}"#)
            try await push(rig, caller, Self.update("3"), start)
            try await rig.leaveAllStarts()
            _ = try await name(rig, secret, "b")
            #expect(try await shown(rig, "a") == #"{"n":3}"#)
            #expect(try await shown(rig, "b") == #"{"n":4}"#)
            rig.clock.advance(60)
            let other = try await rig.phone("gus", user: "gus", tags: ["gus"]).secret
            let late = Self.start(state: "5", audience: #"{"tag":"gus"}"#)
            let reply = try await push(rig, caller, Self.card("end", #""name":"game""#), late, Self.update("6"))
            #expect(reply["warnings"] == nil, "\(reply.text)")
            try await rig.leaveAllStarts()
            let answer = try await name(rig, other, "c")
            #expect(answer["cards", "0", "ends"]?.bool == false, "\(answer.text)")
            #expect(try await rig.activity("game")["generation"]?.integer == 2)
            #expect(try await shown(rig, "c") == #"{"n":6}"#)
        }
    }

    @Test func `An alert alone goes with the state of the start, where nothing else was said`() async throws {
        try await run { rig, caller in
            let secret = try await begin(rig, caller, "eva", state: "1")
            _ = try await name(rig, secret, "a")
            let alert = Self.card("update", #""name":"game","alert":{"title":"Still","body":"On"}"#)
            let reply = try await push(rig, caller, alert)
            #expect(reply["warnings"] == nil, "\(reply.text)")
            #expect(try await rig.declared("game")?.content.state?.text == #"{"n":1}"#)
        }
    }

    @Test func `What is for some people stays theirs; what is for many may be called by every phone, as theirs`()
        async throws
    {
        try await run { rig, caller in
            try await push(rig, caller, Self.start("game", state: "1", audience: #"{"named_user":"anna"}"#))
            #expect(
                try await rig.store.read { ledger in
                    let app = try #require(try ledger.app(bundleID: "org.example.match"))
                    return try ledger.newestActivity(named: "game", in: app.id)?.isPublic
                } == nil)
            try await push(rig, caller, Self.update("2"))
            #expect(try await rig.activity("game")["public"]?.bool != true)
            // A name that the app reports later does not make the activity public either.
            let attributes = #"{"gameID":"order"}"#
            try await push(
                rig, caller, Self.start(state: "1", attributes: attributes, audience: #"{"named_user":"anna"}"#))
            try await push(rig, caller, Self.update("2").replacing(#""game""#, with: #""order""#))
            #expect(try await rig.declared("order")?.content.state?.text == #"{"n":2}"#)
            #expect(try await rig.activity("order")["public"]?.bool != true)
        }
    }

    // MARK: Times

    @Test
    func `What has no timestamp is of the second in which it came: an earlier one is late, and it never is itself`()
        async throws
    {
        try await run { rig, caller in
            try await push(rig, caller, Self.start("game", state: "1"))
            rig.clock.advance(10.5)
            try await push(rig, caller, Self.update("2"))
            #expect(try await rig.declared("game")?.asOf == Rig.start + 10)
            let late = try await push(rig, caller, Self.update("3", more: #","timestamp":1671375609"#))
            #expect(late["warnings"]?.text.contains("something newer") == true, "\(late.text)")
            #expect(try await rig.declared("game")?.content.state?.text == #"{"n":2}"#)
            // In the same second, and by a clock that is ahead.
            for second in [1_671_375_610, 1_671_375_640] {
                let reply = try await push(rig, caller, Self.update("\(second)", more: #","timestamp":\#(second)"#))
                #expect(reply["warnings"] == nil, "\(reply.text)")
            }
            try await push(rig, caller, Self.update("5"))
            #expect(try await rig.declared("game")?.content.state?.text == #"{"n":5}"#)
            try await push(rig, caller, Self.card("end", #""name":"game""#))
            #expect(try await rig.declared("game")?.kind == .end)
            try await push(rig, caller, Self.start("game", state: "6"))
            #expect(try await rig.activity("game")["generation"]?.integer == 2)
        }
    }
}
