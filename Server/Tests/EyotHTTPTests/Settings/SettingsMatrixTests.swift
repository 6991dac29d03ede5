import EyotContract
import EyotDomain
import Testing

@Suite("A setting")
struct SettingsMatrixTests {
    @Test("holds on every path, or the answer says that it does not", arguments: SettingsMatrix.cells)
    func matrix(_ cell: SettingsMatrix.Cell) async throws {
        if case .nothing(let reason) = cell.fate { return #expect(!reason.isEmpty) }
        try await Rig.run { rig in
            let world = try await SettingsWorld(rig, on: cell.path)
            switch cell.fate {
            case .holds: try await world.expectHolds(cell.setting)
            case .warns(let code):
                let reply = try await world.say(cell.setting)
                #expect(reply.status < 300, "\(reply.text)")
                #expect(reply["warnings"]?.text.contains("[\(code)]") == true, "\(reply.text)")
            case .refused:
                let reply = try await world.say(cell.setting)
                let isSaid = reply.status >= 400 || reply.text.contains("is not acted on")
                #expect(isSaid && reply.text.contains(world.member(of: cell.setting)), "\(reply.text)")
            case .nothing: break
            }
        }
    }

    @Test func `stands in the table for each path`() {
        let named = Set(SettingsMatrix.cells.map { "\($0.setting) \($0.path)" })
        let all = Setting.allCases.flatMap { setting in SettingPath.allCases.map { "\(setting) \($0)" } }
        #expect(named == Set(all))
        #expect(SettingsMatrix.cells.count == all.count)
    }
}

extension SettingsWorld {
    /// Makes the call that has the setting, or that meets it.
    func say(_ setting: Setting) async throws -> Reply {
        if setting == .spacingWithoutFrequentPushes {
            try await profile(#""updateSpacingWithoutFrequentPushes":10"#)
            return try await start()
        }
        try await prepare()
        return try await declare(1, SettingMembers.text(of: setting, on: path))
    }

    /// What the refusal names.
    nonisolated func member(of setting: Setting) -> String {
        let text = SettingMembers.text(of: setting, on: path).dropFirst(2)
        return String(text.prefix { $0 != "\"" })
    }
}
