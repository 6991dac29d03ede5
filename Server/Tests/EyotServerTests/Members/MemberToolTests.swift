import EyotCommands
import EyotContract
import EyotDomain
import EyotSQLite
import EyotServer
import Foundation
import Testing

/// Members as the command line changes them, at the database.
@Suite("Members at the database")
struct MemberToolTests {
    /// Runs a test with a database that has one app.
    private static func run(
        _ environment: [String: String] = [:], _ test: (ServerConfiguration) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("eyot.sqlite").path
        let configuration = try ServerConfiguration(
            SettingValues(flags: [.databaseURL: "sqlite:\(path)"], environment: environment))
        let database = try SQLiteDatabase(path: path)
        try database.write { ledger in
            _ = try ledger.insertApp(
                bundleID: "org.example.match", name: "Match", publicKey: "p", at: Instant(second: 1))
        }
        try database.close()
        try test(configuration)
    }

    @Test func `A member gets a link once, roles in apps, and goes with everything`() throws {
        try Self.run(["EYOT_PANEL_URL": "https://panel.example.org/"]) { configuration in
            let tool = MemberTool(configuration, command: "eyot member test")
            let link = try #require(
                try tool.add("Ana@example.org", .viewer, in: "org.example.match", hasProduction: false))
            #expect(link.hasPrefix("https://panel.example.org/panel/link/eyot_ml_"))
            // An owner may do more than those who could make links for a viewer.
            let anew = try #require(try tool.add("ana@example.org", .owner, in: nil, hasProduction: false))
            #expect(anew.hasPrefix("https://panel.example.org/panel/link/eyot_ml_") && anew != link)
            let ana = try #require(try tool.list().first)
            #expect(ana.member.name == "ana@example.org")
            #expect(ana.grants.map(\.grant.role) == [.viewer, .owner])
            #expect(ana.grants.map(\.grant.hasProduction) == [false, true])
            #expect(
                try tool.grant("ana@example.org", .admin, in: "org.example.match", hasProduction: true) == nil)
            try tool.revoke("ana@example.org", in: nil)
            #expect(try tool.list().first?.grants.map(\.grant.role) == [.admin])
            #expect(try tool.link("ana@example.org") != link)
            #expect(try tool.signOut("ana@example.org") == 0)
            try tool.setDisabled(true, "ana@example.org")
            #expect(try tool.list().first?.member.disabledAt != nil)
            try tool.remove("ana@example.org")
            #expect(try tool.list().isEmpty)
        }
    }

    @Test func `What does not exist is named`() throws {
        try Self.run { (configuration: ServerConfiguration) throws in
            let tool = MemberTool(configuration, command: "eyot member test")
            #expect(throws: EyotError.self) {
                try tool.add("ana", .viewer, in: "org.example.none", hasProduction: false)
            }
            #expect(try tool.list().isEmpty)
            #expect(throws: MemberError.memberUnknown("bob")) { try tool.link("bob") }
            #expect(throws: MemberError.self) {
                try tool.add("ana", .owner, in: "org.example.match", hasProduction: true)
            }
        }
    }

    @Test func `An operator's key can be replaced without taking members' ownership`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("eyot.sqlite").path
        let configuration = try ServerConfiguration(
            SettingValues(flags: [.databaseURL: "sqlite:\(path)"], environment: [:]))
        let tool = MemberTool(configuration, command: "eyot member test")
        #expect(throws: StartFault.self) { try tool.add("ana", .owner, in: nil, hasProduction: true) }
        _ = try await OperatorKey.create(configuration)
        _ = try tool.add("ana", .owner, in: nil, hasProduction: true)
        _ = try await OperatorKey.create(configuration, replacing: true)
        #expect(try tool.list().first?.grants.map(\.grant.role) == [.owner])
    }

    @Test(
        "Settings of sign-in that cannot hold are refused by name",
        arguments: [
            (["EYOT_PANEL_URL": "panel.example.org"], "EYOT_PANEL_URL"),
            (["EYOT_PANEL_URL": "https://example.org/panel"], "EYOT_PANEL_URL"),
            (["EYOT_PANEL_OIDC_ISSUER": "http://id.example.org"], "EYOT_PANEL_OIDC_ISSUER"),
            (["EYOT_PANEL_OIDC_ISSUER": "https://id.example.org"], "EYOT_PANEL_OIDC_ISSUER"),
            (["EYOT_PANEL_OIDC_CLIENT_SECRET": "s"], "EYOT_PANEL_OIDC_ISSUER"),
            (["EYOT_PANEL_OIDC_CREATE_MEMBERS": "yes"], "EYOT_PANEL_OIDC_CREATE_MEMBERS"),
            (["EYOT_PANEL_PROXY_HEADER": "X-Member"], "EYOT_PANEL_PROXY_HEADER"),
            (["EYOT_PANEL_REQUIRE_PROVIDER": "true"], "EYOT_PANEL_REQUIRE_PROVIDER"),
            (["EYOT_PANEL_PROXY_HEADER": "Cookie", "EYOT_TRUSTED_PROXIES": "10.0.0.1"], "EYOT_PANEL_PROXY_HEADER"),
            (
                [
                    "EYOT_PANEL_PROXY_HEADER": "X-Member", "EYOT_TRUSTED_PROXIES": "10.0.0.1",
                    "EYOT_PROXY_HEADER": "proxy-v2",
                ], "EYOT_PANEL_PROXY_HEADER"
            ),
        ])
    func settings(_ environment: [String: String], _ name: String) throws {
        let values = try SettingValues(flags: [:], environment: environment)
        let error = #expect(throws: SettingError.self) { try ServerConfiguration(values) }
        #expect(error?.description.hasPrefix(name) == true)
        #expect(error?.description.contains("id.example.org") == false)
    }

    @Test func `A second factor is sealed again with another master key`() async throws {
        let (old, new) = (MasterKey.make(), MasterKey.make())
        let database = try SQLiteDatabase()
        func sealed(by key: MasterKey, older: [MasterKey] = [], _ ledger: any Ledger) -> SealedKeys {
            SealedKeys(ledger: ledger, sealer: Sealer(key, older: older))
        }
        let ana = try database.write { ledger in
            var ana = try ledger.insert(PanelMember(name: "ana", createdAt: Instant(second: 1)))
            let box = try Sealer(old).seal(Secret("JBSWY3DPEHPK3PXP"), for: .totp(of: ana.id))
            ana.totp = MemberTOTP(sealed: box, lastStep: 1)
            try ledger.update(ana)
            return ana
        }
        #expect(try database.read { try SealedKeys.isEmpty(in: $0) } == false)
        #expect(throws: SealError.self) { try database.read { try sealed(by: new, $0).check() } }
        #expect(try database.write { try sealed(by: new, older: [old], $0).reseal() } == 1)
        try database.read { try sealed(by: new, $0).check() }
        _ = try database.write { try sealed(by: MasterKey.make(), $0).dropUnreadable(at: Instant(second: 2)) }
        let dropped = try database.read { try $0.member(ana.id) }
        #expect(dropped?.totp == nil)
        #expect(dropped?.disabledAt != nil)
    }
}
