import EyotContract
import EyotLab
import Foundation
import Testing

/// The panel as people use it, in a real browser beside a real server and phones.
@Suite("The panel in a browser", .timeLimit(.minutes(10)), .serialized)
struct PanelTests {
    @Test func `A member signs in, declares by the form, finds a phone's cause, halts and signs out everywhere`()
        async throws
    {
        try await BrowserRig.run(phones: 3) { rig in
            let browser = rig.browser
            try await rig.signIn(by: try await rig.lab.makePanelLink())
            try await browser.wait(for: "#tonight-rows", toSay: "final")

            // An update by the form, which the phones show.
            try await rig.open("/panel/activities/final/update")
            try await browser.type("3", into: "input[name$=homeScore]")
            try await browser.press("ol button[value=dry]")
            try await browser.wait(for: "#main", toSay: "What would be sent")
            try await browser.press("ol button[value=all]")
            try await browser.wait(for: "#activity-story", toSay: "version 2")
            try await rig.untilShown(3)

            // The page follows what others declare.
            _ = try await rig.lab.api.call(
                "POST", "/v1/activities/final/update",
                body: ["contentState": ["homeScore": 4, "awayScore": 0, "clock": "9'"]])
            try await browser.wait(for: "#activity-story", toSay: "version 3")

            // A phone that does not follow, and why.
            rig.lab.phones[0].goOffline()
            _ = try await rig.lab.api.call(
                "POST", "/v1/activities/final/update",
                body: ["contentState": ["homeScore": 5, "awayScore": 0, "clock": "10'"]])
            try await rig.open("/panel/why")
            try await browser.type("user-1", into: "main input[name=q]")
            try await browser.press("main form button.primary")
            try await browser.wait(for: "#main", toSay: "The story")
            try await browser.wait(until: "document.querySelector('#main .story li')")

            // Halt and resume on the first page.
            try await rig.open("/panel")
            try await browser.press("#tonight-rows button")
            try await browser.wait(for: "#tonight-rows", toSay: "Resume")
            #expect(try await halt(rig) != nil)
            try await browser.press("#tonight-rows button")
            try await browser.wait(until: "!document.querySelector('#tonight-rows').innerText.includes('Resume')")
            #expect(try await halt(rig) == nil)

            #expect(try await rig.complaints() == [])
            try await WebDriver.run { other in
                try await other.open(try await rig.lab.makePanelLink())
                try await other.press("button.primary")
                try await other.wait(for: "h1", toSay: "Tonight")
                try await rig.open("/panel/me")
                try await browser.press("form[action^='/panel/me/sessions'] button.danger")
                // The button leaves with the last other session.
                try await browser.wait(
                    until: "!document.querySelector(\"form[action^='/panel/me/sessions'] button.danger\")")
                try await other.open(rig.panel + "/panel")
                #expect(try await other.url.contains("/panel/sign-in"))
            }
            try await rig.open("/panel/me")
            try await browser.press("form[action='/panel/sign-out'] button")
            try await browser.wait(for: "h1", toSay: "Sign in")
            try await rig.open("/panel")
            #expect(try await browser.url.contains("/panel/sign-in"))
        }
    }

    private func halt(_ rig: BrowserRig) async throws -> JSONValue? {
        try await rig.lab.api.call("GET", "/v1/activities/final").body.object?["halt"]
    }

    static let paths = [
        "/panel", "/panel/activities/final", "/panel/activities/final/update", "/panel/activities/final/end",
        "/panel/activities/final/cards", "/panel/start", "/panel/reports", "/panel/reports/final",
        "/panel/why?q=user-1", "/panel/log", "/panel/insight", "/panel/people", "/panel/users/user-1",
        "/panel/audiences", "/panel/types", "/panel/types/MatchAttributes", "/panel/definitions", "/panel/app",
        "/panel/webhooks", "/panel/console", "/panel/members", "/panel/me", "/panel/audit", "/panel/server",
        "/panel/search?q=nobody",
    ]

    @Test func `Each page fits each width, asks no other host, and can be read by everybody`() async throws {
        try await BrowserRig.run(phones: 2) { rig in
            let (browser, axe) = (rig.browser, Axe(browser: rig.browser))
            try await rig.signIn(by: try await rig.lab.makePanelLink())
            for path in Self.paths {
                for (width, scheme) in [(390, Browser.Scheme.dark), (768, .light), (1_440, .light), (1_440, .dark)] {
                    try await browser.resize(width: width)
                    try await browser.prefer(scheme)
                    try await rig.open(path)
                    let place = Comment(rawValue: "\(path) at \(width), \(scheme)")
                    #expect(try await browser.text("h1") != "Not done", place)
                    let wide = try await browser.value("return document.documentElement.scrollWidth")
                    #expect((wide.integer ?? 0) <= width, place)
                    guard width != 768 else { continue }
                    let findings = try await axe.findings()
                    #expect(findings == [], place)
                }
            }
            let complaints = try await rig.complaints()
            #expect(complaints == [])
        }
    }

    @Test func `A viewer sees no button that is not theirs, and is refused without it`() async throws {
        try await BrowserRig.run(phones: 1) { rig in
            let browser = rig.browser
            try await rig.signIn(by: try await rig.lab.makePanelLink())
            try await rig.open("/panel/members")
            try await browser.type("vera@example.org", into: "form[action^='/panel/members/add'] input[name=name]")
            _ = try await browser.value("document.querySelector('main select[name=role]').value = 'viewer'; return 1")
            try await browser.press("form[action^='/panel/members/add'] button.primary")
            try await browser.wait(until: "document.querySelector('main').innerText.includes('/panel/link/')")
            let page = try await browser.text("main")
            let link = try #require(page.firstMatch(of: /http\S*(\/panel\/link\/\S+)/)).output.1
            try await WebDriver.run { other in
                let viewer = BrowserRig(lab: rig.lab, browser: other, panel: rig.panel)
                try await other.open(rig.panel + link)
                try await other.type("a long enough word", into: "input[name=password]")
                try await other.type("a long enough word", into: "input[name=again]")
                try await other.press("button.primary")
                try await other.wait(for: "h1", toSay: "Tonight")
                #expect(try await other.value("return document.querySelectorAll('#tonight-rows button').length") == 0)
                for path in ["/panel/webhooks", "/panel/members", "/panel/audit", "/panel/console", "/panel/people"] {
                    try await viewer.open(path)
                    #expect(try await other.text("h1") == "Not done", "\(path)")
                }
                let status = try await other.promised(
                    "return (await fetch('/panel/activities/final/halt', {method: 'POST', body: new URLSearchParams()})).status"
                )
                #expect(status == 403)
            }
        }
    }
}
