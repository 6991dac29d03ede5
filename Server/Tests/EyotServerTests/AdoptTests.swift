import EyotContract
import EyotDomain
import EyotPostgres
import EyotStore
import EyotTestKit
import Foundation
import Testing

@testable import EyotServer

@Suite("An adoption", .timeLimit(.minutes(10)))
struct AdoptTests {
    private func configuration(_ url: String) throws -> ServerConfiguration {
        let flags = [Setting.databaseURL: url, .masterKey: String(repeating: "ab", count: 32)]
        return try ServerConfiguration(SettingValues(flags: flags, environment: [:]))
    }

    @Test func `Every app of a restored database begins halted, and each start that may have left is unknown`()
        async throws
    {
        let url = try await TestPostgres.shared.database()
        let configured = try configuration(url.text)
        let database = try PostgresDatabase(url)
        // More than the call's transaction processes, so that a list waits.
        let phones = MemberList.inlineLimit + 50
        let app = try database.fill(configured, phones: phones)
        try database.start("now", in: app)
        try database.start("later", startsAt: AdjustableClock().now + 7_200, in: app)
        let adopted = try AdoptDatabase(configured)()
        #expect(adopted.map(\.bundleID) == ["org.example"])
        let account = try #require(adopted.first?.account)
        #expect((account.activities, account.unknownStarts, account.plannedStarts) == (2, phones, phones))
        try database.read { try $0.expectAdopted(app, phones: phones, by: "eyot database adopt") }
    }

    @Test func `It is refused while a server runs, for a file, and without tables`() async throws {
        let url = try await TestPostgres.shared.database()
        let store = PostgresStore(try PostgresDatabase(url))
        try await store.write { _ in }
        let inUse = #expect(throws: StoreError.self) { try AdoptDatabase(configuration(url.text))() }
        if case .inUseBy? = inUse {} else { Issue.record("\(String(describing: inUse))") }
        await store.close()
        let ofFile = #expect(throws: StartFault.self) {
            try AdoptDatabase(configuration("sqlite:/tmp/none.sqlite"))()
        }
        #expect(ofFile?.code == .databaseIsFile)
        let empty = try await TestPostgres.shared.emptyDatabase()
        let missing = #expect(throws: StartFault.self) { try AdoptDatabase(configuration(empty.text))() }
        #expect(missing?.code == .databaseMissing)
    }
}
