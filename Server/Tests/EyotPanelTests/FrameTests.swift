import EyotDomain
import EyotHTTP
import Testing

@testable import EyotPanel

/// What stands around each page, and what the browser is told.
@Suite("The frame of a page", .timeLimit(.minutes(10)))
struct FrameTests {
    @Test func `A page names app, member and environment, and runs no text of its own`() async throws {
        try await PanelRig.run { rig in
            let page = try await rig.get("/panel")
            #expect(page.status == .ok)
            #expect(page.text.contains("Match &amp; Co"))
            #expect(page.text.contains("ana · ana"))
            #expect(page.text.contains("PRODUCTION"))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe-inline"))
            #expect(!page.text.contains("style=") && !page.text.contains("<style") && !page.text.contains("onclick"))
        }
    }

    @Test func `Without a session the browser is sent to where members sign in`() async throws {
        try await PanelRig.run { rig in
            let answer = try await rig.get("/panel", as: nil)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/panel/sign-in?to=%2Fpanel")
        }
    }

    @Test func `A member sees the sections of their role`() async throws {
        try await PanelRig.run { rig in
            let page = try await rig.get("/panel", as: "vera").text
            #expect(page.contains(">Tonight<"))
            #expect(!page.contains("/panel/people"))
        }
    }

    @Test func `A failure is a page with code and remedy`() async throws {
        try await PanelRig.run { rig in
            let page = try await rig.get("/panel?app=org.example.none")
            #expect(page.status == .forbidden)
            #expect(page.text.contains("keyForbidden"))
        }
    }

    @Test func `Files are kept by browsers, and change their path with their content`() async throws {
        try await PanelRig.run { rig in
            let style = try await rig.get(PanelAssets.style.path, as: nil)
            #expect(style.status == .ok)
            #expect(style.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(PanelAsset("a", "b", "1").path != PanelAsset("a", "b", "2").path)
        }
    }

    @Test(
        "Numbers are grouped",
        arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_204_311, "1,204,311"), (-1_000, "−1,000")])
    func counts(number: Int, text: String) { #expect(Figures.count(number) == text) }

    @Test(
        "Decimals have the digits that are asked for",
        arguments: [
            (68.4, 0, "68"), (0.04, 1, "0.0"), (-0.26, 1, "−0.3"), (1_234.5, 1, "1,234.5"), (2.005, 2, "2.01"),
            (1e300, 1, "1e+300"), (.infinity, 1, "–"), (.nan, 0, "–"),
        ] as [(Double, Int, String)])
    func decimals(number: Double, digits: Int, text: String) {
        #expect(Figures.decimal(number, digits: digits) == text)
    }
}
