import EyotContract
import EyotKit
import EyotLab
import Foundation
import PhoneSimulator
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The example's recorder` {
    /// A card from its request to its end, by the app and by pushes.
    private func play(_ rig: RecorderRig) async throws {
        try await rig.run { recorder in
            let card = try await recorder.request(MatchAttributes.final, MatchAttributes.content(0))
            try await rig.settle(recorder)
            rig.advance(by: 60)
            let stale = Date(timeIntervalSince1970: 1_671_375_600 + 600)
            try await recorder.update(
                MatchAttributes.self, card: card, to: MatchAttributes.content(1, staleDate: stale))
            try await rig.settle(recorder)
            rig.advance(by: 540)
            try await rig.settle(recorder)
            try rig.push("update", to: card, MatchAttributes.state(2), noting: recorder)
            try await rig.settle(recorder)
            rig.advance(by: 30)
            // In the same second as the one before.
            try rig.push("update", to: card, MatchAttributes.state(3), noting: recorder, stamped: -30)
            try await rig.settle(recorder)
            rig.advance(by: 30)
            try await recorder.end(MatchAttributes.self, card: card, showing: MatchAttributes.content(4), .immediate)
            try await rig.settle(recorder)
            rig.advance(by: 60)
        }
    }

    @Test func `A recording that was made on the simulated phone is equal to the simulator`() async throws {
        let rig = RecorderRig()
        try await play(rig)
        let report = try rig.report()
        #expect(report.comparison.differences == [])
        #expect(report.comparison.count(.notModelled) == 0)
        let subjects = Set(report.comparison.rows.map(\.subject))
        #expect(subjects == [.requests, .cards, .states, .contents, .tokens, .startTokens, .endings])
    }

    @Test(
        arguments: [
            "appliesEqualTimestamp", "updateRevivesStale", "replaysUpdateToken", "replaysStartToken", "replaysSettings",
        ])
    func `On a phone that is otherwise in one thing, this thing is found`(name: String) async throws {
        let choice = try #require(PhoneRules.switches.first { $0.name == name })
        var rules = PhoneRules()
        choice.flip(&rules)
        let rig = RecorderRig(rules: rules)
        try await play(rig)
        let report = try rig.report()
        #expect(!report.isEqual)
        #expect(report.trials.first?.rule == choice.description)
        #expect(report.trials.first?.differences == 0)
    }

    @Test func `A start by push is recorded in the launch that it causes`() async throws {
        let rig = RecorderRig()
        try await rig.run { recorder in
            try await rig.settle(recorder)
            rig.advance(by: 20)
        }
        rig.advance(by: 60)
        try rig.push(
            "start", MatchAttributes.state(0),
            [
                ("attributes-type", "MatchAttributes"), ("attributes", ["home": "ARG", "away": "FRA"]),
                ("alert", ["title": "Kick-off", "body": "Now"]),
            ], noting: nil)
        try await rig.run(.background) { recorder in
            try await rig.settle(recorder)
            rig.advance(by: 60)
        }
        let report = try rig.report()
        #expect(report.comparison.differences == [])
        #expect(report.comparison.rows.contains { $0.subject == .wakings && $0.verdict == .equal })
        #expect(report.comparison.rows.contains { $0.what == "content of card 1" && $0.verdict == .equal })
    }

    @Test func `An older system has no start token and no word of one`() async throws {
        let rig = RecorderRig(os: IOSVersion(16, 2))
        try await rig.run { recorder in
            _ = try await recorder.request(MatchAttributes.final, MatchAttributes.content(0))
            try await rig.settle(recorder)
            rig.advance(by: 60)
        }
        let report = try rig.report()
        #expect(report.isEqual)
        #expect(!report.comparison.rows.contains { $0.subject == .startTokens })
    }

    @Test func `A refusal is recorded by its name, and thrown`() async throws {
        let rig = RecorderRig()
        try await rig.run { recorder in
            rig.phone.moveToBackground()
            recorder.moved(to: .background)
            await #expect(throws: ActivityAuthorizationError.visibility) {
                _ = try await recorder.request(MatchAttributes.final, MatchAttributes.content(0))
            }
            rig.advance(by: 60)
        }
        let report = try rig.report()
        #expect(report.isEqual)
        #expect(report.comparison.rows.contains { $0.observed == "visibility" })
    }

    @Test func `No whole token is in the file`() async throws {
        let rig = RecorderRig()
        try await play(rig)
        let text = try String(contentsOf: rig.file, encoding: .utf8)
        #expect(text.firstMatch(of: /[0-9a-f]{16}/) == nil)
        #expect(text.contains("(80 bytes)"))
    }

    @Test func `A log that is full takes nothing more`() throws {
        let rig = RecorderRig()
        let head = RecordingHead(os: IOSVersion(18), bundleID: "a")
        let log = try RecordingLog(at: rig.file, head: head)
        log.append(.did(.launch(.foreground, activitiesEnabled: true, frequentPushesEnabled: true)))
        for _ in 0..<Recording.lineLimit + 10 { log.append(.did(.person(.lock))) }
        let recording = try Recording(reading: Array(Data(contentsOf: rig.file)))
        #expect(recording.lines.count == Recording.lineLimit)
    }
}
