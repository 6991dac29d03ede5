import EyotContract
import EyotDomain
import Testing

/// What phones show of each setting that holds.
extension SettingsWorld {
    func expectHolds(_ setting: Setting) async throws {
        switch setting {
        case .spacing: try await expectSpacing(#""updateSpacing":10"#, on: ["a", "b"], not: [])
        case .spacingWithoutFrequentPushes:
            try await expectSpacing(#""updateSpacingWithoutFrequentPushes":10"#, on: ["b"], not: ["a"])
        case .priority: try await expectPriority()
        case .urgent: try await expectUrgent()
        case .languages: try await expectLanguages()
        case .startsPerHour: try await expectStartsPerHour()
        case .canary: try await expectCanary()
        case .halt: try await expectHalt()
        case .staleDate: try await expectStaleDate()
        case .staleAfterOfType: try await expectStaleAfterOfType()
        case .endsAt: try await expectEnd()
        case .dismissalDate: try await expectDismissal()
        case .aps: try await expectFurtherMembers()
        }
    }

    private func members(_ setting: Setting) -> String { SettingMembers.text(of: setting, on: path) }

    private func expectTaken(_ reply: Reply) { #expect(reply.status < 300, "\(reply.text)") }

    /// Of two states within two seconds the second waits.
    private func expectSpacing(_ profile: String, on spaced: [String], not others: [String]) async throws {
        try await self.profile(profile)
        try await prepare()
        let begin = now
        _ = try await declare(1)
        try await pass(2)
        _ = try await declare(2)
        try await pass(20)
        for phone in spaced { #expect(seconds(phone, from: begin) == [0, 10], "\(phone)") }
        for phone in others { #expect(seconds(phone, from: begin) == [0, 2], "\(phone)") }
    }

    private func seconds(_ phone: String, from begin: Int) -> [Int] {
        pushes(to: phone, since: begin).map { $0.second - begin }
    }

    private func expectPriority() async throws {
        try await prepare()
        let begin = now
        try await expectTaken(declare(1, members(.priority)))
        try await pass(2)
        let wish = startsCards || path == .braze ? 5 : 10
        for phone in ["a", "b"] { #expect(pushes(to: phone, since: begin).first?.priority == wish, "\(phone)") }
    }

    private func expectUrgent() async throws {
        try await profile(#""updateSpacing":10"#)
        try await prepare()
        let begin = now
        _ = try await declare(1)
        try await pass(2)
        _ = try await declare(2, members(.urgent))
        try await pass(20)
        for phone in ["a", "b"] {
            #expect(seconds(phone, from: begin) == [0, 2], "\(phone)")
            #expect(pushes(to: phone, since: begin).last?.priority == 10, "\(phone)")
        }
    }

    private func expectLanguages() async throws {
        try await prepare()
        let begin = now
        if startsCards {
            try await start("m", 1, alert: SettingMembers.goal)
            try await reachPhones()
        } else {
            _ = try await declare(1, "," + SettingMembers.goal)
        }
        try await pass(2)
        #expect(pushes(to: "a", since: begin).compactMap(\.title) == ["Tor"])
        #expect(pushes(to: "b", since: begin).compactMap(\.title) == ["Goal"])
    }

    /// Of two cards within an hour the second is not started.
    private func expectStartsPerHour() async throws {
        try await profile(#""startsPerHour":1"#)
        for name in ["m", "n"] {
            try await start(name)
            try await reachPhones()
            try await pass(2)
        }
        for phone in ["a", "b"] {
            #expect(pushes(to: phone).count { $0.event == "start" } == 1, "\(phone)")
        }
    }

    private func expectCanary() async throws {
        try await prepare()
        let begin = now
        try await expectTaken(declare(1, members(.canary)))
        try await pass(5)
        #expect(pushes(to: "a", since: begin).map(\.state) == [1])
        #expect(pushes(to: "b", since: begin).isEmpty)
        try await pass(40, by: 5)
        #expect(pushes(to: "b", since: begin).map(\.state) == [1])
    }

    private func expectHalt() async throws {
        try await prepare()
        #expect(try await rig.call(.post, "/v1/types/Match/halt").status == 200)
        let begin = now
        _ = try await declare(1)
        try await pass(5)
        for phone in ["a", "b"] { #expect(pushes(to: phone, since: begin).isEmpty, "\(phone)") }
        #expect(try await rig.call(.post, "/v1/types/Match/resume").status == 200)
        try await pass(6)
        for phone in ["a", "b"] { #expect(pushes(to: phone, since: begin).map(\.state) == [1], "\(phone)") }
    }

    private func expectStaleDate() async throws {
        try await prepare()
        let begin = now
        try await expectTaken(declare(1, members(.staleDate)))
        try await pass(2)
        for phone in ["a", "b"] { expectDate("stale-date", SettingMembers.date, phone, begin) }
    }

    private func expectDate(_ member: String, _ second: Int, _ phone: String, _ begin: Int) {
        #expect(pushes(to: phone, since: begin).last?.aps[member]?.integer == second, "\(phone)")
    }

    private func expectStaleAfterOfType() async throws {
        try await rig.store.write { ledger in
            let app = try #require(try ledger.app(bundleID: "org.example.match"))
            var profile = TypeProfile(app: app.id, type: "Match")
            profile.staleAfter = 600
            try ledger.put(profile)
        }
        try await prepare()
        let begin = now
        let shown = path == .plannedStart ? begin + Self.plan : begin
        _ = try await declare(1)
        try await pass(2)
        for phone in ["a", "b"] { expectDate("stale-date", shown + 600, phone, begin) }
    }

    /// Some vendors say it in the start.
    private func expectEnd() async throws {
        // Insider's activities last five minutes at least.
        let end = now + 4_000
        let date = Instant(second: end).rfc3339
        switch path {
        case .netmera: try await expectTaken(start("m", 0, #","liveActEndDate":"\#(date)""#))
        case .insider: try await expectTaken(start(insiderEnd: date))
        default:
            try await prepare()
            try await expectTaken(declare(1, #","\#(path == .braze ? "dismissal_date" : "endsAt")":"\#(date)""#))
        }
        try await work()
        for phone in ["a", "b"] { #expect(!pushes(to: phone).contains { $0.event == "end" }, "\(phone)") }
        rig.clock.advance(Double(end - now - 5))
        try await pass(25)
        for phone in ["a", "b"] {
            let second = pushes(to: phone).first { $0.event == "end" }?.second
            #expect(second.map { (end...end + 15).contains($0) } == true, "\(phone)")
        }
    }

    private func expectDismissal() async throws {
        try await prepare()
        let begin = now
        try await expectTaken(end(members(.dismissalDate)))
        try await pass(15)
        for phone in ["a", "b"] { expectDate("dismissal-date", SettingMembers.date, phone, begin) }
    }

    private func expectFurtherMembers() async throws {
        try await prepare()
        let begin = now
        try await expectTaken(declare(1, members(.aps)))
        try await pass(2)
        for phone in ["a", "b"] { expectDate("x-mark", 7, phone, begin) }
    }
}
