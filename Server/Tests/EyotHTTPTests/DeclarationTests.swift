import EyotContract
import EyotDomain
import Testing

@Suite("Declaring")
struct DeclarationTests {
    private static let final = "/v1/activities/final"

    @Test func `A start says how many cards it starts, and whom it leaves out`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna", tags: ["fans"])
            try await rig.phone("two", user: "bert", tags: ["fans"], os: "16.4")
            try await rig.phone("three", user: "carl", tags: ["fans"], hasStartToken: false)
            try await rig.phone("four", user: "dora", tags: ["press"])
            let reply = try await rig.call(
                .post, "\(Self.final)/start", Body.start.replacing(#""all""#, with: #"{"tag":"fans"}"#))
            #expect(reply.status == 202)
            #expect(
                reply.text
                    == #"{"operation":"1","name":"final","generation":1,"version":1,"outcome":"applied","starting":1,"#
                    + #""skipped":{"osTooOld":1,"noStartToken":1},"warnings":["2 of 3 devices in the audience get no card: "#
                    + #"1 has no start token for the type, 1 has an iOS before 17.2, which does not support remote "#
                    + #"starts."]}"#)
            #expect(reply.etag == #""1-1""#)
            let more = try await rig.call(.post, "\(Self.final)/start", Body.start)
            #expect(more["starting"]?.integer == 1)
            #expect(more["skipped", "alreadyActive"]?.integer == 1)
        }
    }

    @Test func `The state is read as it was written`() async throws {
        try await Rig.run { rig in
            let state = #"{"z":2.50,"a":1e3,"m":{"y":"é","b":[1,null,true]}}"#
            let spaced = #"{ "contentState" : \#(state.replacing(":", with: " : ")) }"#
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            #expect(try await rig.call(.post, "\(Self.final)/update", spaced).status == 202)
            let reply = try await rig.call(.get, Self.final)
            #expect(reply.text.contains(#""contentState":\#(state)"#))
            #expect(reply.etag == #""1-2""#)
        }
    }

    @Test func `A name may be any text`() async throws {
        try await Rig.run { rig in
            for (path, name) in [
                ("a%2Fb", "a/b"), ("%C3%A9t%C3%A9%20%F0%9F%8F%86", "été 🏆"), ("start", "start"), ("a+b", "a+b"),
            ] {
                let started = try await rig.call(.post, "/v1/activities/\(path)/start", Body.start)
                #expect(started["name"]?.string == name)
                #expect(try await rig.call(.get, "/v1/activities/\(path)")["name"]?.string == name)
            }
        }
    }

    @Test func `PUT starts, repeats and updates`() async throws {
        try await Rig.run { rig in
            let first = try await rig.call(.put, Self.final, Body.start)
            #expect(first["outcome"]?.string == "applied")
            #expect(first["generation"]?.integer == 1)
            let second = try await rig.call(.put, Self.final, Body.start)
            #expect(second.status == 202)
            #expect(second["outcome"]?.string == "unchanged")
            #expect(second["version"]?.integer == 1)
            let third = try await rig.call(.put, Self.final, Body.update)
            #expect(third["outcome"]?.string == "applied")
            #expect(third["version"]?.integer == 2)
        }
    }

    @Test func `A start after an end opens the next generation`() async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            #expect(try await rig.call(.post, "\(Self.final)/end", "{}").etag == #""1-2""#)
            let reply = try await rig.call(.post, "\(Self.final)/start", Body.start)
            #expect(reply.etag == #""2-1""#)
        }
    }

    @Test func `A scope says how many it contains`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna")
            try await rig.phone("two", user: "bert")
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            let reply = try await rig.call(
                .post, "\(Self.final)/update", #"{"contentState":{},"scope":{"user":["anna","nobody"]}}"#)
            #expect(reply["members"]?.integer == 1)
        }
    }

    // MARK: Late callers (R14)

    @Test func `If-Match that is not met is 412 and changes nothing`() async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            let met = try await rig.call(.post, "\(Self.final)/update", Body.update, headers: ["If-Match": #""1-1""#])
            #expect(met.status == 202)
            let late = try await rig.call(
                .post, "\(Self.final)/update", #"{"contentState":{"n":9}}"#, headers: ["If-Match": #""1-1""#])
            #expect(late.status == 412)
            #expect(late.code == "superseded")
            #expect(late.etag == #""1-2""#)
            #expect(try await rig.call(.get, Self.final)["contentState", "n"]?.integer == 2)
            let unknown = try await rig.call(
                .put, "/v1/activities/nobody", Body.update, headers: ["If-Match": #""1-1""#])
            #expect(unknown.status == 412)
            #expect(unknown.etag == nil)
        }
    }

    @Test(
        "If-Match takes a version alone, and a tag of somebody else's never holds",
        arguments: [
            ("1", 202), (#""1""#, 202), ("*", 202), ("2", 412), (#""2-1""#, 412), (#""d41d8cd9""#, 412),
        ])
    func matches(header: String, status: Int) async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            let answer = try await rig.call(.post, "\(Self.final)/update", Body.update, headers: ["If-Match": header])
            #expect(answer.status == status)
        }
    }

    @Test func `If-None-Match asks for a name of which nothing runs`() async throws {
        try await Rig.run { rig in
            let start = {
                try await rig.call(.post, "\(Self.final)/start", Body.start, headers: ["If-None-Match": "*"])
            }
            #expect(try await start().status == 202)
            let second = try await start()
            #expect(second.status == 412)
            #expect(second.code == "superseded")
            let none = try await rig.call(
                .put, "/v1/activities/nobody", Body.update, headers: ["If-Match": "*"])
            #expect(none.status == 412)
            _ = try await rig.call(.post, "\(Self.final)/end", "{}")
            #expect(try await start()["generation"]?.integer == 2)
        }
    }

    @Test func `An older truth is answered as superseded and changes nothing`() async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            let update = { (n: Int, minute: Int) in
                try await rig.call(
                    .post, "\(Self.final)/update",
                    #"{"contentState":{"n":\#(n)},"asOf":"2022-12-18T14:\#(minute):00Z"}"#)
            }
            #expect(try await update(5, 50).status == 202)
            let late = try await update(4, 40)
            #expect(late.status == 200)
            #expect(late["outcome"]?.string == "superseded")
            #expect(late["version"]?.integer == 2)
            #expect(try await rig.call(.get, Self.final)["contentState", "n"]?.integer == 5)
            let record = try await rig.call(.get, "/v1/operations/\(late["operation"]?.string ?? "")")
            #expect(record["state"]?.string == "superseded")
        }
    }

    // MARK: Repetitions

    @Test func `A repeated request gets its first answer, whatever came since`() async throws {
        try await Rig.run { rig in
            let key = ["Idempotency-Key": "kick-off"]
            let body = Body.start.replacing(
                #""audience""#, with: #""endsAt":"2022-12-18T17:00:00Z","audience""#)
            let first = try await rig.call(.post, "\(Self.final)/start", body, headers: key)
            #expect(first.status == 202, "\(first.text)")
            _ = try await rig.call(.post, "\(Self.final)/update", Body.update)
            // Three hours later its end has passed, which would be refused if it were judged anew.
            rig.clock.advance(3 * 3_600)
            let again = try await rig.call(.post, "\(Self.final)/start", body, headers: key)
            #expect(again.text == first.text)
            #expect(again.status == 202)
            #expect(again.etag == first.etag)
            #expect(try await rig.call(.get, Self.final)["version"]?.integer == 2)
        }
    }

    @Test func `A key that came with another request is refused`() async throws {
        try await Rig.run { rig in
            let key = ["Idempotency-Key": "k"]
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start, headers: key)
            for (path, body) in [("\(Self.final)/update", Body.update), ("/v1/activities/other/start", Body.start)] {
                let reply = try await rig.call(.post, path, body, headers: key)
                #expect(reply.status == 409)
                #expect(reply.code == "idempotencyConflict")
            }
            // Another app's keys are its own.
            let other = try await rig.call(
                .post, "/v1/activities/x/start", Body.start, key: rig.other.api, headers: key)
            #expect(other.status == 202)
        }
    }

    @Test func `A repeated 412 stays one`() async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            let headers = ["Idempotency-Key": "k", "If-Match": #""1-7""#]
            for _ in 1...2 {
                #expect(try await rig.call(.post, "\(Self.final)/update", Body.update, headers: headers).status == 412)
                _ = try await rig.call(.post, "\(Self.final)/update", Body.update)
            }
        }
    }

    // MARK: Dates

    @Test func `A past stale date is passed on with a warning`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            let reply = try await rig.call(
                .post, "\(Self.final)/update", #"{"contentState":{},"staleDate":"2022-12-18T14:00:00Z"}"#)
            #expect(reply.status == 202)
            #expect(reply["warnings"]?.array?.count == 1)
            #expect(reply["warnings", "0"]?.string?.contains("staleDate") == true)
            let operation = try await rig.call(.get, "/v1/operations/2")
            #expect(operation["warnings"] == reply["warnings"])
            let declared = try await rig.store.read { ledger in
                try ledger.declaration(2, of: ActivityID(rawValue: 1))
            }
            #expect(declared?.content.staleDate == Rig.start.second - 3_600)
        }
    }

    @Test(
        "A past dismissal date means now",
        arguments: ["2022-12-18T14:00:00Z", "1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z"])
    func dismissal(_ date: String) async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            let reply = try await rig.call(.post, "\(Self.final)/end", #"{"dismissalDate":"\#(date)"}"#)
            #expect(reply.status == 202)
            #expect(reply["warnings"]?.array == [])
            let declared = try await rig.store.read { try $0.declaration(2, of: ActivityID(rawValue: 1)) }
            let second = try #require(declared?.content.dismissalDate)
            #expect((1...Rig.start.second).contains(second))
        }
    }

    @Test func `An update that leaves no room for the start's attributes is taken with a warning`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            let attributes = String(repeating: "x", count: 2_500)
            _ = try await rig.call(
                .post, "\(Self.final)/start", Body.start.replacing(#""ARG""#, with: "\"\(attributes)\""))
            let reply = try await rig.call(
                .post, "\(Self.final)/update",
                #"{"contentState":{"a":"\#(String(repeating: "y", count: 2_500))"}}"#)
            #expect(reply.status == 202)
            #expect(reply["warnings"]?.array?.count == 1)
        }
    }
}
