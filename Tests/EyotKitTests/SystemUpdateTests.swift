import EyotContract
import EyotKit
import PhoneSimulator
import Testing

@Suite("A start token across an update of the system", .underEverySwitch, .timeLimit(.minutes(10)))
struct SystemUpdateTests {
    private let rig = Rig()

    /// What a launch tells under a version of iOS: start tokens by the number of the registration under which they
    /// came.
    private func launch(_ os: Capabilities, _ body: (Eyot) async throws -> Void) async throws {
        var configuration = rig.configuration
        configuration.capabilities = os
        try await rig.launch(as: configuration, body)
    }

    private func startTokens() async -> Int { await rig.server.books.actions.count { $0.startToken != nil } }

    @Test(.leaving("startTokenMoment", "rebootRenewsStartToken"), arguments: [18, 26])
    func `it is told under a new major version only once the phone shows it again`(major: Int) async throws {
        try await launch(Capabilities(iOS: 18, 1)) { eyot in
            eyot.register(MatchAttributes.self)
            await rig.server.wait { $0.startable == ["MatchAttributes"] }
            try await eyot.event { $0 == .startToken(type: "MatchAttributes", .confirmed) }
        }
        let told = await startTokens()
        let old = rig.phone.state.startToken
        rig.phone.updateSystem(to: IOSVersion(major, 2))
        try await launch(Capabilities(iOS: major, 2)) { eyot in
            eyot.addTags(["after"])
            await rig.server.wait { $0.registrations.count == 2 && $0.actions.contains { $0.isProfile } }
            // Within a major version the SDK tells at once what it knows.
            #expect(await startTokens() == (major == 18 ? told + 1 : told))
            eyot.register(MatchAttributes.self)
            if major == 26 {
                await rig.server.wait { $0.actions.count { $0.startToken != nil } == told + 1 }
                let shown = rig.phone.state.startToken
                #expect(await rig.server.books.actions.compactMap(\.startToken).last == shown)
                #expect((shown != old) == Rig.rules.systemUpdateRenewsStartToken)
            }
        }
    }
}

extension DeviceChange.Action {
    fileprivate var isProfile: Bool { if case .profile = self { true } else { false } }
}
