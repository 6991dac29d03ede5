import EyotContract
import EyotDomain
import EyotHTTP
import Testing

@testable import EyotPanel

/// Users and devices.
@Suite("Pages of people", .timeLimit(.minutes(10)))
struct PeoplePageTests {
    @Test func `Users are found by the beginning of an id, and devices by user or number`() async throws {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            for user in ["anna", "annabel", "bert"] {
                try await rig.call(.put, "/v1/users/\(user)", ["tags": ["fans"]])
            }
            let found = try await rig.get("/panel/people?q=anna").text
            #expect(found.contains("/panel/users/annabel") && !found.contains("/panel/users/bert"))
            #expect(found.contains("/panel/devices/\(phone.id)"))
            #expect(try await rig.get("/panel/people?q=\(phone.id)").text.contains("/panel/devices/\(phone.id)"))
            #expect(try await rig.get("/panel/people?q=carl").text.contains("No user has this id"))
        }
    }

    @Test func `Lists go on by a cursor`() async throws {
        try await PanelRig.run { rig in
            let key = try await rig.apiKey()
            for number in 100..<160 {
                try await rig.call(.put, "/v1/users/user-\(number)", ["tags": ["fans"]], key: key)
            }
            let first = try await rig.get("/panel/people").text
            #expect(first.contains("user-149") && !first.contains("user-150"))
            #expect(first.contains("after=user-149"))
            let second = try await rig.get("/panel/people?tab=users&after=user-149").text
            #expect(second.contains("user-159") && !second.contains("user-149</bdi>"))
        }
    }

    @Test func `A user's page has traits, devices, cards and events, and fingerprints instead of tokens`() async throws
    {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            try await rig.start("final", on: phone)
            try await rig.call(
                .put, "/v1/users/anna",
                ["tags": ["fans"], "tagGroups": ["sport": ["football"]], "attributes": ["city": "Ankara"]])
            let page = try await rig.get("/panel/users/anna").text
            for text in ["fans", "sport: football", "Ankara", "/panel/devices/\(phone.id)", "v1", "0123…6e65"] {
                #expect(page.contains(text), "\(text)")
            }
            let events = try await rig.get("/panel/users/anna?tab=events").text
            #expect(events.contains("The phone reported a new card.") && events.contains("card.appeared"))
            let device = try await rig.get("/panel/devices/\(phone.id)").text
            for text in ["iOS 18.1", "1.0 (7)", "sandbox", "Match", "in use", "final"] {
                #expect(device.contains(text), "\(text)")
            }
            #expect(!(page + events + device).contains(PanelRig.token(of: "one")))
        }
    }

    @Test func `A user is erased only after the id is typed, and the page counts what goes`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", on: rig.phone("one", user: "anna"))
            let page = try await rig.get("/panel/users/anna/remove").text
            #expect(page.contains("1 device, with") && page.contains("1 card, of which 1 run"))
            let wrong = try await rig.post("/panel/users/anna/remove", ["typed": "ann"])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("type anna to confirm"))
            #expect(wrong.text.contains(#"value="ann""#))
            #expect(try await rig.get("/panel/users/anna").status == .ok)
            let done = try await rig.post("/panel/users/anna/remove", ["typed": "anna"])
            #expect(done.status == .seeOther && done.headers[.location] == "/panel/people?done=removed")
            #expect(try await rig.get("/panel/users/anna").status == .notFound)
        }
    }

    @Test func `A device is forgotten only after its number is typed`() async throws {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            let path = "/panel/devices/\(phone.id)"
            #expect(try await rig.get("\(path)/remove").text.contains("1 start token, with"))
            #expect(try await rig.post("\(path)/remove", ["typed": "no"]).status == .unprocessableContent)
            #expect(try await rig.post("\(path)/remove", ["typed": phone.id]).status == .seeOther)
            #expect(try await rig.get(path).status == .notFound)
        }
    }

    @Test func `Refused tokens are counted, and used again by one button`() async throws {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            #expect(try await rig.get("/panel/devices/\(phone.id)").text.contains("refused again") == false)
            try await rig.store.write { ledger in
                guard let app = try ledger.apps().first?.id else { return }
                for var token in try ledger.startTokens(of: DeviceID(rawValue: Int64(phone.id) ?? 0)) {
                    token.death = TokenDeath(reason: .unregistered, isQuarantine: false)
                    try ledger.put(token, in: app)
                }
            }
            #expect(try await rig.get("/panel/devices/\(phone.id)").text.contains("Use 1 refused again"))
            let done = try await rig.post("/panel/devices/\(phone.id)/restore", [:])
            #expect(done.headers[.location] == "/panel/devices/\(phone.id)?done=restored")
            #expect(try await rig.get("/panel/devices/\(phone.id)").text.contains("in use"))
        }
    }

    @Test func `Who only reads sees no button that removes, and is refused the form`() async throws {
        try await PanelRig.run { rig in
            _ = try await rig.phone("one", user: "anna")
            #expect(try await rig.get("/panel/users/anna", as: "otto").text.contains("/remove") == false)
            #expect(try await rig.get("/panel/users/anna/remove", as: "otto").status == .forbidden)
            let form = try await rig.post("/panel/users/anna/remove", ["typed": "anna"], as: "otto")
            #expect(form.status == .forbidden)
            #expect(try await rig.get("/panel/users/anna").status == .ok)
        }
    }
}
