import EyotContract
import EyotLab
import Foundation
import Testing

/// The pictures in the documents. `scripts/screenshots` makes them; otherwise this does nothing.
@Suite("The pictures in the documents", .timeLimit(.minutes(10)))
struct Screenshots {
    /// Where the pictures go.
    private static let folder = ProcessInfo.processInfo.environment["SCREENSHOTS"].map { URL(fileURLWithPath: $0) }

    @Test(.enabled(if: folder != nil, "scripts/screenshots makes them"))
    func `A match with phones that do not follow`() async throws {
        try await BrowserRig.run(phones: 30) { rig in
            try await play(rig)
            try await takeWall(rig)
            try await startMore(rig)
            try await rig.signIn(by: try await rig.lab.makePanelLink())
            try await take("panel-tonight", of: "/panel", until: "#tonight-rows", says: "final", rig)
            try await take("panel-activity", of: "/panel/activities/final", until: "#activity-story", says: "goal", rig)
            try await take("panel-why", of: "/panel/why?q=user-4", until: "#main", says: "The story", rig)
            try await rig.browser.prefer(.dark)
            try await take("panel-phone", of: "/panel", width: 390, until: "#tonight-rows", says: "final", rig)
        }
    }

    /// Some phones leave, some lose their network, and the rest sees three goals.
    private func play(_ rig: BrowserRig) async throws {
        let phones = rig.lab.phones
        for (score, clock) in [(1, "23'"), (2, "36'")] {
            try await declare(score, clock, rig)
            try await rig.untilShown(score)
        }
        for number in [6, 17, 25] { try phones[number].dismiss(.only) }
        for phone in phones where phone.user == "user-4" || phone.user == "user-20" { phone.goOffline() }
        try await declare(3, "45'+2'", rig)
        try await rig.lab.until { phones.count { $0.shows(3) } == phones.count - 5 }
    }

    /// Two more activities, one of which is halted.
    private func startMore(_ rig: BrowserRig) async throws {
        for (name, home, away, user) in [("third-place", "CRO", "MAR", "user-2"), ("warm-up", "A", "B", "user-3")] {
            _ = try await rig.lab.api.call(
                "POST", "/v1/activities/\(name)/start",
                body: [
                    "type": "MatchAttributes", "audience": ["user": .string(user)],
                    "attributes": ["home": .string(home), "away": .string(away)],
                    "contentState": ["homeScore": 2, "awayScore": 1, "clock": "42'"],
                    "alert": ["title": "Kick-off", "body": "Now"],
                ])
        }
        _ = try await rig.lab.api.call("POST", "/v1/activities/warm-up/halt", body: [:])
    }

    private func declare(_ score: Int, _ clock: String, _ rig: BrowserRig) async throws {
        _ = try await rig.lab.api.call(
            "POST", "/v1/activities/\(BrowserRig.activity)/update",
            body: [
                "contentState": ["homeScore": .integer(score), "awayScore": 0, "clock": .string(clock)],
                "alert": ["title": "A goal", "body": .string("ARG \(score)–0 FRA")],
            ])
    }

    private func takeWall(_ rig: BrowserRig) async throws {
        try await rig.browser.resize(width: 1_440, height: 990)
        try await rig.browser.prefer(.light)
        try await rig.browser.open(await rig.lab.description.wall)
        try await rig.browser.wait(for: "#declared", toSay: "3")
        try await save("wall", rig)
    }

    private func take(
        _ name: String, of path: String, width: Int = 1_440, until selector: String, says text: String,
        _ rig: BrowserRig
    ) async throws {
        try await rig.browser.resize(width: width)
        try await rig.open(path)
        try await rig.browser.wait(for: selector, toSay: text)
        try await save(name, rig)
    }

    private func save(_ name: String, _ rig: BrowserRig) async throws {
        guard let folder = Self.folder else { return }
        try await rig.browser.screenshot().write(to: folder.appendingPathComponent("\(name).png"))
    }
}

extension LabPhone {
    fileprivate func shows(_ score: Int) -> Bool {
        state.cards.contains { $0.content.state.object?["homeScore"]?.integer == score }
    }
}
