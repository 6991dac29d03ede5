import EyotContract
import EyotDomain
import EyotHTTP
import Testing

@testable import EyotPanel

/// The page that explains what a phone shows.
@Suite("The page of why", .timeLimit(.minutes(10)))
struct WhyPageTests {
    @Test func `A card is explained with sentence, remedy, story and a text for the ticket`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", on: rig.phone("one", user: "anna"))
            let page = try await rig.get("/panel/why?q=anna&activity=final")
            #expect(page.status == .ok)
            #expect(page.text.contains("User anna") && page.text.contains("The story"))
            // The app of the rig has no APNs key.
            #expect(page.text.contains("<b>apnsKeyMissing</b>") && page.text.contains("card why bad"))
            #expect(page.text.contains("Version 1 was declared"))
            let ticket = try #require(page.text.components(separatedBy: #"<pre id="ticket">"#).last)
            #expect(ticket.contains("User anna · org.example.match · asked at 2022-12-18T15:00:00Z"))
            #expect(!page.text.contains(PanelRig.token(of: "one")))
        }
    }

    @Test func `Without an activity each card of the person is explained, and whether another could be started`()
        async throws
    {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            try await rig.start("final", on: phone)
            let page = try await rig.get("/panel/why?q=anna").text
            #expect(page.contains("final · generation 1") && page.contains("should show version 1"))
            #expect(page.contains("The story") && page.contains("Another card"))
            let device = try await rig.get("/panel/why?q=\(phone.id)").text
            #expect(device.contains("Device \(phone.id)") && device.contains("final · generation 1"))
        }
    }

    @Test func `Other phones of the person have their own sentence`() async throws {
        try await PanelRig.run { rig in
            let first = try await rig.phone("one", user: "anna")
            rig.clock.advance(60)
            _ = try await rig.phone("two", user: "anna")
            let page = try await rig.get("/panel/why?user=anna").text
            #expect(page.contains("Other phones of this user"))
            #expect(page.contains("/panel/why?device=\(first.id)"))
        }
    }

    @Test(
        "What is not known says what to try",
        arguments: [
            ("q=nobody", "notRegistered"), ("q=anna&activity=none", "activityUnknown"), ("device=99", "deviceUnknown"),
        ])
    func unknown(query: String, code: String) async throws {
        try await PanelRig.run { rig in
            _ = try await rig.phone("one", user: "anna")
            let page = try await rig.get("/panel/why?\(query)").text
            #expect(page.contains(code) && page.contains("What to try"))
        }
    }

    @Test func `The role that may ask why sees this page and no other`() async throws {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            try await rig.start("final", on: phone)
            let page = try await rig.get("/panel/why?q=anna", as: "sam")
            #expect(page.status == .ok && page.text.contains("final · generation 1"))
            #expect(!page.text.contains("/panel/users/"))
            for path in [
                "people", "users/anna", "users/anna/remove", "devices/\(phone.id)", "log", "insight",
                "insight/card.appeared", "audiences", "types", "types/Match", "definitions", "live?topic=log",
            ] {
                #expect(try await rig.get("/panel/\(path)", as: "sam").status == .forbidden, "\(path)")
            }
        }
    }
}
