import EyotContract
import EyotDomain
import Testing

/// What Netmera's API tells of what was sent, and what it keeps.
@Suite struct `Netmera's reports and definitions` {
    private func run(_ body: @Sendable @escaping (Rig, VendorCaller) async throws -> Void) async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna")
            try await rig.phone("two", user: "bert")
            try await body(rig, try await rig.caller(of: .netmera))
        }
    }

    private func define(_ rig: Rig, _ caller: VendorCaller) async throws -> Int {
        let made = try await rig.post(
            "/rest/3.0/createNotificationDefinition", `Netmera's API`.definition, by: caller, of: .netmera)
        return try #require(made["notificationKey"]?.integer, "\(made.text)")
    }

    @discardableResult
    private func send(
        _ rig: Rig, _ caller: VendorCaller, _ key: Int, _ group: String, _ user: String
    ) async throws -> Reply {
        try await rig.post(
            "/rest/3.0/sendNotification",
            #"{"notificationKey":\#(key),"message":{"groupId":"\#(group)"},"target":{"extId":"\#(user)"}}"#,
            by: caller, of: .netmera)
    }

    private func ask(_ rig: Rig, _ caller: VendorCaller, _ query: String) async throws -> Reply {
        try await rig.call(.get, "/rest/3.0/\(query)", key: nil, headers: caller.headers(.netmera))
    }

    /// Lets Apple take or refuse pushes of an activity, and its operations be complete.
    private func count(_ rig: Rig, _ group: String, started: Int, refused: Int) async throws {
        let now = rig.clock.now
        try await rig.store.write { ledger in
            let app = try #require(try ledger.app(bundleID: "org.example.match"))
            var activity = try #require(try ledger.newestActivity(named: group, in: app.id))
            activity.tally.accepted += started
            activity.tally.refused += refused
            try ledger.update(activity)
            for var operation in try ledger.openOperations(of: activity.id, limit: 100) {
                operation.complete(in: activity, at: now)
                try ledger.update(operation)
            }
        }
    }

    @Test func `A definition's key tells of everything that was sent of it, each push once`() async throws {
        try await run { rig, caller in
            let key = try await define(rig, caller)
            let idle = try await ask(rig, caller, "getPushStats?notificationKey=\(key)")
            #expect((idle.status, idle["status"]?.string) == (200, "STARTING"), "\(idle.text)")
            rig.clock.advance(1)
            // Two sends to one group are under way together.
            for user in ["anna", "bert"] { #expect(try await send(rig, caller, key, "a", user).status == 200) }
            try await send(rig, caller, key, "b", "anna")
            #expect(try await ask(rig, caller, "getPushStats?notificationKey=\(key)")["status"]?.string == "STARTING")
            rig.clock.advance(1)
            try await count(rig, "a", started: 2, refused: 1)
            let under = try await ask(rig, caller, "getPushStats?notificationKey=\(key)")
            #expect(under["status"]?.string == "SENDING", "\(under.text)")
            #expect(under["endDate"] == nil)
            try await count(rig, "b", started: 1, refused: 0)
            let done = try await ask(rig, caller, "getPushStats?notificationKey=\(key)")
            #expect(
                done.text
                    == #"{"notificationKey":\#(key),"status":"FINISHED","startDate":1671375601000,"#
                    + #""endDate":1671375602000,"stats":[{"platform":"IOS","sent":3,"failed":1,"clicked":0}]}"#)
            for query in ["getPushStats?notificationKey=1999999999", "getPushResult?notificationKey=1999999999"] {
                let none = try await ask(rig, caller, query)
                #expect((none.status, none["code"]?.integer) == (400, 5003), "\(none.text)")
            }
        }
    }

    @Test func `And person by person, group after group, in pages`() async throws {
        try await run { rig, caller in
            let key = try await define(rig, caller)
            #expect(
                try await ask(rig, caller, "getPushResult?notificationKey=\(key)").text == #"{"list":[]}"#)
            for group in 1...60 {
                for user in ["anna", "bert"] { try await send(rig, caller, key, "g\(group)", user) }
                try await rig.leaveAllStarts()
                rig.clock.advance(3_600)
            }
            var people: [String] = []
            var next: String? = ""
            var pages = 0
            while let page = next, pages < 9 {
                let query = "getPushResult?notificationKey=\(key)" + (page.isEmpty ? "" : "&nextPage=\(page)")
                let reply = try await ask(rig, caller, query)
                people += reply["list"]?.array?.compactMap { $0.object?["extId"]?.string } ?? []
                next = reply["nextPage"]?.string
                pages += 1
            }
            #expect(people.count == 120)
            #expect(people.prefix(3) == ["anna", "bert", "anna"])
            #expect(pages == 2)
            #expect(try await ask(rig, caller, "getPushResult?notificationKey=\(key)&nextPage=7").status == 400)
        }
    }

    @Test func `What was sent within a time is told message by message`() async throws {
        try await run { rig, caller in
            let first = try await rig.post(
                `Netmera's API`.bulk, `Netmera's API`.start(), by: caller, of: .netmera)["notificationKey"]
            rig.clock.advance(60)
            let key = try await define(rig, caller)
            let second = try await send(rig, caller, key, "h", "anna")["notificationKey"]
            // Our own calls are none of Netmera's messages.
            #expect(try await rig.call(.post, "/v1/activities/own/start", Body.start).status == 202)
            func keys(_ query: String) async throws -> [JSONValue?] {
                let reply = try await ask(rig, caller, "getPushStats?\(query)")
                #expect(reply.status == 200, "\(reply.text)")
                return reply["messages"]?.array?.map { $0.object?["notificationKey"] } ?? []
            }
            #expect(try await keys("start=1671375600000&end=1671375660000") == [first, second])
            #expect(try await keys("start=1671375600001&end=1671375700000") == [second])
            #expect(try await keys("start=1671375661000&end=1671375700000").isEmpty)
            for query in ["start=1", "end=1", "start=a&end=1", "start=-1&end=1"] {
                let wrong = try await ask(rig, caller, "getPushStats?\(query)")
                #expect((wrong.status, wrong["code"]?.integer) == (400, 2020), "\(wrong.text)")
            }
        }
    }

    @Test func `Definitions make room for new ones, those first that nobody has used, and take none of our own`()
        async throws
    {
        try await run { rig, caller in
            let used = try await define(rig, caller)
            rig.clock.advance(0.5)
            let unused = try await define(rig, caller)
            let now = rig.clock.now
            try await rig.store.write { ledger in
                let app = try #require(try ledger.app(bundleID: "org.example.match"))
                for index in 2..<Definition.limit {
                    var definition = Definition(
                        app: app.id, name: "netmera-\(1_500_000_000 + index)", json: [:], changedAt: now)
                    definition.usedAt = now + Double(index)
                    try ledger.put(definition)
                }
            }
            rig.clock.advance(7_200)
            #expect(try await send(rig, caller, used, "a", "anna").status == 200)
            let newest = try await define(rig, caller)
            #expect(try await send(rig, caller, unused, "b", "anna")["code"]?.integer == 5003)
            for key in [used, newest] { #expect(try await send(rig, caller, key, "c\(key)", "anna").status == 200) }
            let own = try await rig.call(
                .put, "/v1/definitions/own", #"{"declaration":{"contentState":{"n":1}}}"#)
            #expect(own.status == 200, "\(own.text)")
        }
    }
}
