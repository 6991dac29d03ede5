import EyotCommands
import EyotContract
import EyotDomain
import Testing

@Suite("People over HTTP")
struct PeopleTests {
    @Test func `What is said of a user is replaced by PUT, member by member, and merged by PATCH`() async throws {
        try await Rig.run { rig in
            let whole = try await rig.call(
                .put, "/v1/users/anna",
                #"{"tags":["a","b"],"tagGroups":{"sport":["x"],"news":["y"]},"attributes":{"city":"Ankara","n":1},"#
                    + #""aliases":{"crm":"1"}}"#)
            #expect(whole.status == 200, "\(whole.text)")
            #expect(
                whole.text
                    == #"{"externalID":"anna","tags":["a","b"],"tagGroups":{"news":["y"],"sport":["x"]},"#
                    + #""attributes":{"city":"Ankara","n":1.0},"aliases":{"crm":"1"}}"#)
            _ = try await rig.call(.put, "/v1/users/anna", #"{"tags":["c"],"tagGroups":{"sport":["z"]}}"#)
            let merged = try await rig.call(
                .patch, "/v1/users/anna",
                #"{"tags":{"add":["d"],"remove":["c"]},"tagGroups":{"sport":null,"new":["w"]},"#
                    + #""attributes":{"n":null,"list":["p"]},"aliases":{"old":"7"}}"#)
            #expect(merged.status == 200, "\(merged.text)")
            let read = try await rig.call(.get, "/v1/users/anna")
            #expect(
                read.text
                    == #"{"externalID":"anna","tags":["d"],"tagGroups":{"new":["w"]},"#
                    + #""attributes":{"city":"Ankara","list":["p"]},"aliases":{"crm":"1","old":"7"}}"#)
            let gone = try await rig.call(.patch, "/v1/users/anna", #"{"aliases":{"crm":null}}"#)
            #expect(gone["aliases", "crm"] == nil && gone["aliases", "old"]?.string == "7")
        }
    }

    @Test func `An alias is one user's, in each app`() async throws {
        try await Rig.run { rig in
            let alias = #"{"aliases":{"crm":"1"}}"#
            _ = try await rig.call(.patch, "/v1/users/anna", alias)
            let taken = try await rig.call(.patch, "/v1/users/bert", alias)
            #expect(taken.status == 409 && taken.code == "aliasTaken" && taken.field == "aliases.crm")
            #expect(try await rig.call(.get, "/v1/users/bert").status == 404)
            #expect(try await rig.call(.patch, "/v1/users/bert", alias, key: rig.other.api).status == 200)
            _ = try await rig.call(.put, "/v1/users/anna", #"{"aliases":{}}"#)
            #expect(try await rig.call(.patch, "/v1/users/bert", alias).status == 200)
        }
    }

    static let refused: [(String, String)] = [
        (#"{}"#, "tags"), (#"{"foo":1}"#, "foo"), (#"{"tags":{"add":["a"]},"x":1}"#, "x"),
        (#"{"tags":{}}"#, "tags.add"),
        (#"{"tags":{"add":[""]}}"#, "tags.add[0]"), (#"{"tagGroups":{"":["a"]}}"#, "tagGroups."),
        (#"{"tagGroups":{"g":"a"}}"#, "tagGroups.g"), (#"{"attributes":{"a":{}}}"#, "attributes.a"),
        (#"{"attributes":{"a":[1]}}"#, "attributes.a"), (#"{"aliases":{"crm":1}}"#, "aliases.crm"),
    ]

    @Test("What is wrong with a user is named", arguments: refused)
    func refuses(_ body: String, _ field: String) async throws {
        try await Rig.run { rig in
            let reply = try await rig.call(.patch, "/v1/users/anna", body)
            #expect(reply.status == 422 && reply.field == field, "\(reply.text)")
            #expect(try await rig.call(.get, "/v1/users/anna").status == 404)
        }
    }

    @Test func `A user of whom nothing is said is one`() async throws {
        try await Rig.run { rig in
            #expect(try await rig.call(.put, "/v1/users/anna", "{}").status == 200)
            #expect(try await rig.call(.get, "/v1/users/anna").status == 200)
            let phone = try await rig.phone("one")
            let wrong = try await rig.call(.patch, "/v1/devices/\(phone.id)", #"{"aliases":{}}"#)
            #expect(wrong.code == "fieldUnknown" && wrong.field == "aliases", "\(wrong.text)")
        }
    }

    @Test func `As lines there may be more users than in an array`() async throws {
        try await Rig.run { rig in
            let lines = String(repeating: "{}\n", count: PeopleBatch.limit + 1)
            let reply = try await rig.call(
                .post, "/v1/users/bulk", lines, headers: ["Content-Type": "application/x-ndjson"])
            #expect(reply.status == 200 && reply["failed"]?.integer == PeopleBatch.limit + 1, "\(reply.text)")
        }
    }

    @Test func `There is a limit to what is said, also where it comes by and by`() async throws {
        try await Rig.run { rig in
            func tags(_ from: Int) -> String {
                #"{"tags":{"add":[\#((from..<from + 150).map { "\"t\($0)\"" }.joined(separator: ","))]}}"#
            }
            #expect(try await rig.call(.patch, "/v1/users/anna", tags(0)).status == 200)
            let more = try await rig.call(.patch, "/v1/users/anna", tags(100))
            #expect(more.status == 422 && more.field == "tags")
        }
    }

    @Test func `Users are listed by pages, those of the own app`() async throws {
        try await Rig.run { rig in
            for user in ["c", "a", "b"] { _ = try await rig.call(.put, "/v1/users/\(user)", #"{"tags":[]}"#) }
            _ = try await rig.call(.put, "/v1/users/d", #"{"tags":[]}"#, key: rig.other.api)
            let first = try await rig.call(.get, "/v1/users?limit=2")
            #expect(first["users", "0", "externalID"]?.string == "a" && first["next"]?.string == "b")
            let second = try await rig.call(.get, "/v1/users?limit=2&after=b")
            #expect(second["users", "0", "externalID"]?.string == "c" && second["next"] == nil)
        }
    }

    @Test func `A user may be called as a route is`() async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.put, "/v1/users/bulk", #"{"tags":["a"]}"#)
            let read = try await rig.call(.get, "/v1/users/bulk")
            #expect(read["externalID"]?.string == "bulk")
        }
    }

    @Test func `Very many users come in one body, and each stands for itself`() async throws {
        try await Rig.run { rig in
            let users = (1...120).map { #"{"id":"u\#($0)","tags":["fans"],"attributes":{"n":\#($0)}}"# }
            let body = #"{"users":[\#(users.joined(separator: ",")),{"id":"x","tags":1},{"tags":[]}]}"#
            let reply = try await rig.call(.post, "/v1/users/bulk", body)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["applied"]?.integer == 120 && reply["failed"]?.integer == 2)
            #expect(reply["errors", "0", "line"]?.integer == 121 && reply["errors", "0", "id"]?.string == "x")
            #expect(reply["errors", "0", "code"]?.string == "fieldMistyped")
            #expect(reply["errors", "1", "field"]?.string == "id")
            #expect(try await rig.call(.get, "/v1/users/u120")["tags", "0"]?.string == "fans")
        }
    }

    @Test func `Users come a line each, and those that cannot be taken are named by their lines`() async throws {
        try await Rig.run { rig in
            let lines = """
                {"id":"a","aliases":{"crm":"1"}}

                {"id":"b","aliases":{"crm":"1"}}
                {"id":
                {"id":"c","attributes":{"city":"Ankara"}}\r

                """
            let reply = try await rig.call(
                .post, "/v1/users/bulk", lines, headers: ["Content-Type": "application/x-ndjson"])
            #expect(reply["applied"]?.integer == 2 && reply["failed"]?.integer == 2, "\(reply.text)")
            let codes = reply["errors"]?.array?.map {
                [$0.object?["line"]?.integer.map(String.init), $0.object?["code"]?.string]
            }
            #expect(codes == [["4", "jsonInvalid"], ["3", "aliasTaken"]])
            #expect(try await rig.call(.get, "/v1/users/c")["attributes", "city"]?.string == "Ankara")
            #expect(try await rig.call(.get, "/v1/users/b").status == 404)
            let other = try await rig.call(
                .put, "/v1/users/a", #"{"tags":[]}"#, headers: ["Content-Type": "application/x-ndjson"])
            #expect(other.status == 415)
        }
    }

    @Test func `One body brings so many users, and says of so many what is wrong`() async throws {
        try await Rig.run { rig in
            let many = String(repeating: "{}\n", count: PeopleBatch.lineLimit + 1)
            let tooMany = try await rig.call(
                .post, "/v1/users/bulk", many, headers: ["Content-Type": "application/x-ndjson"])
            #expect(tooMany.status == 422 && tooMany.field == "users")
            let wrong = try await rig.call(
                .post, "/v1/users/bulk", String(repeating: "{}\n", count: PeopleBatch.errorLimit + 5),
                headers: ["Content-Type": "application/x-ndjson"])
            #expect(wrong["failed"]?.integer == PeopleBatch.errorLimit + 5)
            #expect(wrong["errors"]?.array?.count == PeopleBatch.errorLimit)
        }
    }

    @Test func `So do very many devices, those of the own app`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one")
            let gone = try await rig.phone("two")
            _ = try await rig.call(.delete, "/v1/devices/\(gone.id)")
            let line = #"{"id":"\#(phone.id)","tags":["vip"],"attributes":{"store":"TR"}}"#
            let lines = [line, #"{"id":"\#(gone.id)","tags":["a"]}"#, #"{"id":"01"}"#, #"{"id":"9","aliases":{}}"#]
            let reply = try await rig.call(
                .post, "/v1/devices/bulk", lines.joined(separator: "\n"),
                headers: ["Content-Type": "application/x-ndjson"])
            #expect(reply["applied"]?.integer == 1 && reply["failed"]?.integer == 3, "\(reply.text)")
            let codes = (reply["errors"]?.array ?? []).map { $0.object?["code"]?.string }
            #expect(Set(codes) == ["deviceUnknown", "fieldInvalid", "fieldUnknown"], "\(reply.text)")
            let read = try await rig.call(.get, "/v1/devices/\(phone.id)")
            #expect(
                read["backend", "tags", "0"]?.string == "vip" && read["backend", "attributes", "store"]?.string == "TR")
            let other = try await rig.call(
                .post, "/v1/devices/bulk", #"{"devices":[\#(line)]}"#, key: rig.other.api)
            #expect(other["errors", "0", "code"]?.string == "deviceUnknown", "\(other.text)")
        }
    }

    @Test func `A backend says of a device what its app does not`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one")
            _ = try await rig.changes(
                phone.secret, #"{"sequence":2,"kind":"profile","tags":["own"],"attributes":{"city":"Paris"}}"#)
            let reply = try await rig.call(
                .patch, "/v1/devices/\(phone.id)", #"{"tagGroups":{"g":["t"]},"attributes":{"city":"Ankara"}}"#)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["tags", "0"]?.string == "own" && reply["attributes", "city"]?.string == "Paris")
            #expect(reply["backend", "attributes", "city"]?.string == "Ankara")
            let audience =
                #"{"audience":{"and":[{"tag":{"name":"t","group":"g"}},{"attribute":{"name":"city","is":"Ankara"}}]}}"#
            #expect(try await rig.call(.post, "/v1/audiences/count", audience)["matched"]?.integer == 1)
            #expect(try await rig.call(.patch, "/v1/devices/99", #"{"tags":[]}"#).code == "deviceUnknown")
            let foreign = try await rig.call(.get, "/v1/devices/\(phone.id)", key: rig.other.api)
            #expect(foreign.code == "deviceUnknown")
        }
    }
}
