import EyotCommands
import EyotContract
import EyotDomain
import Testing

/// What Apple's channels cannot do, said in answers.
@Suite("A warning about a channel")
struct ChannelWarningTests {
    /// A call that brings a warning.
    struct Case: Sendable, CustomTestStringConvertible {
        var code: ChannelWarning.Code
        /// Further members of an update; nil is a start with these of its own.
        var update: String?
        var start = ""
        /// The member that it names.
        var member: String

        var testDescription: String { code.rawValue }
    }

    static let cases: [Case] = [
        Case(code: .channelTakesNoScope, update: #","scope":{"user":"a"}"#, member: "scope"),
        Case(code: .channelHasOneLanguage, update: "," + SettingMembers.goal, member: "alert.localizations"),
        Case(code: .channelSkipsCanary, update: #","canary":{"percent":50}"#, member: "canary"),
        Case(code: .channelGivesNoToken, start: #","aps":{"input-push-token":1}"#, member: "aps.input-push-token"),
        Case(
            code: .channelLeavesNoCardOut, update: #","onSchemaMismatch":"leaveOut""#, member: "onSchemaMismatch"),
    ]

    @Test("names its member and ends with its code, in a dry run too", arguments: cases)
    func warning(_ call: Case) async throws {
        try await Rig.run { rig in
            let world = try await SettingsWorld(rig, on: .channel)
            let reply: Reply
            if let update = call.update {
                try await world.prepare()
                if call.code == .channelLeavesNoCardOut { try await expectStates(of: "string", rig) }
                let body = #"{"contentState":{"n":1}\#(update)}"#
                let trial = try await rig.call(.post, "/v1/activities/m/update?dryRun=true", body)
                #expect(warnings(trial).contains { $0.hasSuffix("[\(call.code.rawValue)]") }, "\(trial.text)")
                reply = try await rig.call(.post, "/v1/activities/m/update", body)
            } else {
                try await world.start()
                try await world.pass(3)
                reply = try await world.start("m", 1, call.start)
            }
            let warning = warnings(reply).filter { $0.hasSuffix(" [\(call.code.rawValue)]") }
            #expect(warning.count == 1, "\(reply.text)")
            #expect(warning.first?.hasPrefix(call.member + " ") == true, "\(warning)")
        }
    }

    /// The app's build decodes no number from now on, and decoded the states before.
    private func expectStates(of kind: String, _ rig: Rig) async throws {
        let schema = #"{"title":"Match","attributes":{},"contentState":{"properties":{"n":{"type":"\#(kind)"}}}}"#
        _ = try await rig.call(.put, "/v1/activities/m", #"{"contentState":{}}"#)
        #expect(try await rig.call(.put, "/v1/types/Match/schemas", #"{"schema":\#(schema)}"#).status < 300)
    }

    private func warnings(_ reply: Reply) -> [String] { reply["warnings"]?.array?.compactMap(\.string) ?? [] }

    @Test func `is not given where no card follows a channel`() async throws {
        try await Rig.run { rig in
            let world = try await SettingsWorld(rig, on: .tokenCard)
            try await world.prepare()
            for call in Self.cases where call.code != .channelLeavesNoCardOut {
                let reply = try await rig.call(
                    .post, "/v1/activities/m/update", #"{"contentState":{"n":1}\#(call.update ?? "")}"#)
                #expect(!reply.text.contains("[channel"), "\(reply.text)")
            }
        }
    }

    @Test func `stands in a vendor's answer with the vendor's member`() async throws {
        try await Rig.run { rig in
            let world = try await SettingsWorld(rig, on: .channel)
            try await world.prepare()
            let reply = try await world.post(
                .airship, `Airship's API`.push,
                `Airship's API`.body(
                    #"{"name":"m","event":"update","content_state":{"n":1}}"#, audience: #"{"tag":"fans"}"#))
            let warnings = warnings(reply)
            #expect(warnings.contains { $0.hasPrefix("audience does not reach cards") }, "\(reply.text)")
            #expect(warnings.contains { $0.hasSuffix("[channelTakesNoScope]") }, "\(reply.text)")
        }
    }

    @Test func `comes with a start that asks for no token`() async throws {
        try await Rig.run { rig in
            let world = try await SettingsWorld(rig, on: .channel)
            try await world.start("m", 1, #","aps":{"input-push-token":1,"x-mark":7}"#)
            try await world.pass(2)
            let start = try #require(await world.pushes(to: "a").first?.aps)
            #expect(start["input-push-channel"]?.string == SettingsEngine.channel)
            #expect(start["input-push-token"] == nil)
            #expect(start["x-mark"] == 7)
        }
    }
}

@Suite("What a type says of its states")
struct TypeDefaultTests {
    @Test func `holds for a scope, too, before anything was declared for everyone`() async throws {
        try await Rig.run { rig in
            let world = try await SettingsWorld(rig, on: .tokenCard)
            try await rig.store.write { ledger in
                let app = try #require(try ledger.app(bundleID: "org.example.match"))
                var profile = TypeProfile(app: app.id, type: "Match")
                profile.staleAfter = 600
                try ledger.put(profile)
            }
            try await world.startLocally("m")
            let begin = await world.now
            let update = #"{"contentState":{"n":1},"scope":{"user":"a"}}"#
            let reply = try await rig.call(.post, "/v1/activities/m/update", update)
            #expect(reply.status == 202, "\(reply.text)")
            try await world.pass(2)
            #expect(await world.pushes(to: "a").last?.aps["stale-date"]?.integer == begin + 600)
        }
    }
}
