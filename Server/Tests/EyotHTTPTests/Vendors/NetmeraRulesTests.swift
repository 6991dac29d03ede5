import EyotContract
import EyotDomain
import Testing

/// What Netmera's API takes where its pages leave it open, and what not.
@Suite struct `Netmera's rules` {
    private static let define = "/rest/3.0/createNotificationDefinition"
    private static let send = "/rest/3.0/sendNotification"

    private func run(
        lenient: Bool = false, _ body: @Sendable @escaping (Rig, VendorCaller) async throws -> Void
    ) async throws { try await `Netmera's API`().run(lenient: lenient, body) }

    private func post(_ rig: Rig, _ caller: VendorCaller, _ path: String, _ body: String) async throws -> Reply {
        try await rig.post(path, body, by: caller, of: .netmera)
    }

    private func define(_ rig: Rig, _ caller: VendorCaller, _ more: String = "") async throws -> Int {
        let body = `Netmera's API`.definition.replacing(#""title""#, with: more + #""title""#)
        let made = try await post(rig, caller, Self.define, body)
        return try #require(made["notificationKey"]?.integer, "\(made.text)")
    }

    // MARK: Dates

    /// Bodies with a date in each place where a start has none, by the path that an answer names.
    private static func misplaced(_ key: Int, _ date: String) -> [(path: String, body: String, name: String)] {
        let start = `Netmera's API`.start()
        return [
            (`Netmera's API`.bulk, start.replacing(#"{"message""#, with: #"{\#(date),"message""#), "staleDate"),
            (`Netmera's API`.bulk, start.replacing(#""title""#, with: #"\#(date),"title""#), "message.staleDate"),
            (define, `Netmera's API`.definition.replacing(#""title""#, with: #"\#(date),"title""#), "staleDate"),
            (
                send, #"{"notificationKey":\#(key),"message":{"groupId":"g",\#(date)},"target":{"extId":"anna"}}"#,
                "message.staleDate"
            ),
            (
                send, #"{"notificationKey":\#(key),\#(date),"message":{"groupId":"g"},"target":{"extId":"anna"}}"#,
                "staleDate"
            ),
        ]
    }

    @Test(arguments: 0...4)
    func `A stale date in a start is refused wherever it stands, and named where the server is lenient`(
        _ place: Int
    ) async throws {
        let date = #""staleDate":"2022-12-18T17:00:00Z""#
        try await run { rig, caller in
            let (path, body, name) = Self.misplaced(try await define(rig, caller), date)[place]
            let reply = try await post(rig, caller, path, body)
            #expect((reply.status, reply["code"]?.integer) == (400, 2020), "\(reply.text)")
            #expect(reply["error"]?.string == "\(name) does not belong to a start")
        }
        try await run(lenient: true) { rig, caller in
            let key = try await define(rig, caller)
            let (path, body, name) = Self.misplaced(key, date)[place]
            let reply = try await post(rig, caller, path, body)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["warnings"]?.array == [.string("\(name) is not acted on")], "\(reply.text)")
            let none = Self.misplaced(key, #""staleDate":"zz""#)[place]
            #expect(try await post(rig, caller, none.path, none.body).status == 400)
        }
    }

    @Test func `An end date in a definition or in its send ends the cards, and the send's own counts`() async throws {
        try await run { rig, caller in
            let key = try await define(rig, caller, #""liveActEndDate":"2022-12-18T17:00:00Z","#)
            func send(_ group: String, _ more: String = "") async throws -> Reply {
                try await post(
                    rig, caller, Self.send,
                    #"{"notificationKey":\#(key),"message":{"groupId":"\#(group)"\#(more)},"target":{"extId":"anna"}}"#)
            }
            #expect(try await send("g").text.contains("warnings") == false)
            #expect(try await rig.activity("g")["endsAt"]?.string == "2022-12-18T17:00:00Z")
            _ = try await send("h", #","liveActEndDate":"2022-12-18T18:00:00Z""#)
            #expect(try await rig.activity("h")["endsAt"]?.string == "2022-12-18T18:00:00Z")
            rig.clock.advance(3 * 3_600)
            #expect(try await send("i")["warnings"]?.text.contains("liveActEndDate") == true)
            let past = try await post(
                rig, caller, Self.define,
                `Netmera's API`.definition.replacing(
                    #""title""#, with: #""liveActEndDate":"2022-12-18T17:00:00Z","title""#))
            #expect(past["warnings"]?.array == ["liveActEndDate has passed: it ends nothing"], "\(past.text)")
        }
    }

    @Test func `An action is in capitals and an end date in UTC, unless the server is lenient`() async throws {
        for lenient in [false, true] {
            try await run(lenient: lenient) { rig, caller in
                let wanted = lenient ? 200 : 400
                let start = `Netmera's API`.start(
                    #","type":"LIVE_ACTIVITY","groupId":"h","liveActEndDate":"2022-12-18T20:00:00+03:00""#)
                #expect(try await post(rig, caller, `Netmera's API`.bulk, start).status == wanted)
                _ = try await post(rig, caller, `Netmera's API`.bulk, `Netmera's API`.start())
                let end = try await post(rig, caller, `Netmera's API`.update, #"{"groupId":"g","action":"end"}"#)
                #expect(end.status == wanted, "\(end.text)")
            }
        }
    }

    // MARK: Targets and texts

    @Test func `Those who fit all parts of a target get a card, be it sent to all beside`() async throws {
        for (target, count) in [
            (#"{"sendToAll":true,"extId":["anna"]}"#, 1), (#"{"sendToAll":true,"tag":"fans","extId":"bert"}"#, 0),
            (#"{"sendToAll":true}"#, 2),
        ] {
            try await run { rig, caller in
                _ = try await post(rig, caller, `Netmera's API`.bulk, `Netmera's API`.start(target: target))
                #expect(try await rig.activity("g")["phases", "starting"]?.integer ?? 0 == count, "\(target)")
            }
        }
    }

    @Test func `A definition's texts go as they are written, be they like places of our own`() async throws {
        try await run { rig, caller in
            let body = #"""
                {"title":"Hi {{name}}","message":"{{","platforms":["IOS"],"contentState":{"z":1.50,"a":"{{x y}}"},
                "liveActAttr":{"leagueName":"{{y}}"},"liveActAttrType":"Match"}
                """#
            let made = try await post(rig, caller, Self.define, body)
            let key = try #require(made["notificationKey"]?.integer, "\(made.text)")
            let sent = try await post(
                rig, caller, Self.send,
                #"{"notificationKey":\#(key),"message":{"groupId":"g"},"target":{"extId":"anna"}}"#)
            #expect(sent.status == 200, "\(sent.text)")
            let declared = try #require(try await rig.declared("g"))
            #expect(declared.content.state?.text == #"{"z":1.50,"a":"{{x y}}"}"#)
            #expect(declared.attributes?.text == #"{"leagueName":"{{y}}","netmeraGroupId":"g"}"#)
            #expect(declared.content.alertOfStarts?.body.text == #"{"title":"Hi {{name}}","body":"{{"}"#)
        }
    }

    @Test(arguments: [4_000, 20_000]) func `A definition that can never fit is 400 with 2101`(_ bytes: Int) async throws
    {
        try await run { rig, caller in
            let body = `Netmera's API`.definition.replacing(
                "Premier League", with: String(repeating: "x", count: bytes))
            let reply = try await post(rig, caller, Self.define, body)
            #expect((reply.status, reply["code"]?.integer) == (400, 2101), "\(reply.text)")
        }
    }

    // MARK: Errors

    @Test func `A type of another kind is named as the caller has it`() async throws {
        try await run { rig, caller in
            for (path, body) in [
                (
                    `Netmera's API`.bulk,
                    `Netmera's API`.start().replacing(#"{"message""#, with: #"{"type":"X","message""#)
                ),
                (Self.define, `Netmera's API`.definition.replacing(#""title""#, with: #""type":"PUSH","title""#)),
            ] {
                let reply = try await post(rig, caller, path, body)
                #expect(reply["error"]?.string?.hasPrefix("type must be LIVE_ACTIVITY") == true, "\(reply.text)")
            }
        }
    }

    @Test func `A member that the schema asks for and that is missing is 2020, one that does not fit is 2021`()
        async throws
    {
        try await run { rig, caller in
            let schema = #"""
                {"schema":{"attributes":{"type":"object","properties":{"leagueName":{"type":"string"},
                "city":{"type":"string"}},"required":["leagueName","city"]},"contentState":{}},"builds":[]}
                """#
            #expect(try await rig.call(.put, "/v1/types/Match/schemas", schema).status == 200)
            let start = `Netmera's API`.start()
            let missing = try await post(rig, caller, `Netmera's API`.bulk, start)
            #expect((missing.status, missing["code"]?.integer) == (400, 2020), "\(missing.text)")
            #expect(missing["error"]?.string?.hasPrefix("liveActAttr.city: is missing") == true, "\(missing.text)")
            let wrong = start.replacing(#""leagueName":"#, with: #""city":1,"leagueName":"#)
            let mistyped = try await post(rig, caller, `Netmera's API`.bulk, wrong)
            #expect((mistyped.status, mistyped["code"]?.integer) == (400, 2021), "\(mistyped.text)")
        }
    }

    @Test func `What is wrong with one of several says which it is, also what is found late`() async throws {
        try await run { rig, caller in
            let key = try await define(rig, caller)
            func request(_ key: Int, _ group: String) -> String {
                #"{"notificationKey":\#(key),"message":{\#(group)},"target":{"extId":"anna"}}"#
            }
            let good = request(key, #""groupId":"g""#)
            for (other, words) in [
                (request(7, #""groupId":"h""#), "[1]: there is no definition with notificationKey 7"),
                (request(key, ""), "[1].message.groupId is missing"),
                (request(key, #""groupId":"\#(String(repeating: "x", count: 300))""#), "[1].groupId"),
            ] {
                let reply = try await post(rig, caller, Self.send, "[\(good),\(other)]")
                #expect(reply.status == 400)
                #expect(reply["error"]?.string?.hasPrefix(words) == true, "\(reply.text)")
            }
            let single = try await post(rig, caller, Self.send, request(7, #""groupId":"h""#))
            #expect(single["error"]?.string == "there is no definition with notificationKey 7")
            #expect(try await rig.activity("g").status == 404)
        }
    }
}
