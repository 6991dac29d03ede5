import EyotContract
import EyotLab
import Foundation

/// A lab with phones that show a match, and a browser.
struct BrowserRig: Sendable {
    static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("eyot")
    static let activity = "final"

    let lab: Lab
    let browser: Browser
    /// The panel's address, without a path.
    let panel: String

    /// Runs a test with phones of `user-1` and so on, which show the match 0–0.
    static func run(phones: Int, _ test: (BrowserRig) async throws -> Void) async throws {
        var configuration = LabConfiguration(phones: phones, executable: executable)
        configuration.types = [.match]
        configuration.serverLogLevel = "warning"
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(phones, tag: "fans")
            _ = try await lab.api.call("POST", "/v1/activities/\(activity)/start", body: start)
            try await lab.until { lab.phones.allSatisfy { $0.state.cards.contains { $0.updateToken != nil } } }
            let panel = await lab.description.ops
            try await WebDriver.run { browser in
                try await test(BrowserRig(lab: lab, browser: browser, panel: panel))
            }
        }
    }

    private static let start: JSONValue = [
        "type": "MatchAttributes", "audience": ["tag": "fans"],
        "attributes": ["eyotActivityName": .string(activity), "home": "ARG", "away": "FRA"],
        "contentState": ["homeScore": 0, "awayScore": 0, "clock": "1'"],
        "alert": ["title": "Kick-off", "body": "Now"],
    ]

    /// Signs in by a link that works once.
    func signIn(by link: String) async throws {
        try await browser.open(link)
        try await browser.press("button.primary")
        try await browser.wait(for: "h1", toSay: "Tonight")
    }

    func open(_ path: String) async throws { try await browser.open(panel + path) }

    /// Waits until each phone shows a score of the home team.
    func untilShown(_ score: Int) async throws {
        try await lab.until {
            lab.phones.allSatisfy { phone in
                phone.state.cards.contains { $0.content.state.object?["homeScore"]?.integer == score }
            }
        }
    }

    /// Returns what the browser complained of since the last call, and what it asked other hosts for.
    func complaints() async throws -> [String] {
        let foreign = try await browser.requests().filter { url in
            !url.hasPrefix(panel) && !url.hasPrefix("data:") && !url.hasPrefix("http://127.0.0.1:")
        }
        return try await browser.consoleErrors() + foreign
    }
}
