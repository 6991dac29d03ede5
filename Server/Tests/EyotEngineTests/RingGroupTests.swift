import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

@Suite("Pages of the ring on which not all are alike")
struct RingGroupTests {
    private static let cards = 1_200

    /// Makes an activity in which every other card belongs to one user.
    private func drive() throws -> (EngineDrive, App) {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: Self.cards) { $0.isMultiple(of: 2) ? "even" : "odd" }
        return (drive, app)
    }

    private func declare(_ state: Int, scope: Audience? = nil, _ drive: EngineDrive, _ app: App) throws {
        var request = DeclarationRequest(verb: .update, name: "m", content: Content(state: ["n": .integer(state)]))
        request.scope = scope
        var limits = Declare.Limits()
        limits.inlineLimit = Self.cards
        _ = try Declare(Transaction(drive.ledger, at: drive.now), app: app.id, limits: limits)(request)
    }

    /// What each card was sent last, by its ordinal.
    private func shown(_ drive: EngineDrive) -> [Int: Int] {
        drive.pushes.reduce(into: [:]) { $0[$1.ordinal] = $1.state }
    }

    @Test func `bring each of them what it lacks, and are settled at once`() throws {
        let (drive, app) = try drive()
        try declare(1, drive, app)
        try declare(2, scope: .user("even"), drive, app)
        try drive.run()
        let shown = shown(drive)
        #expect(shown.count == Self.cards)
        #expect(shown.allSatisfy { $0.value == ($0.key.isMultiple(of: 2) ? 2 : 1) })
        let activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        let replicas = drive.ledger.replicas(of: activity.id, after: 0, limit: .max)
        #expect(replicas.allSatisfy { $0.acceptedVersion == ($0.ordinal.isMultiple(of: 2) ? 2 : 1) })
        #expect(drive.pages.count == 2, "one for each page of the ring")
    }

    @Test func `keep back those who are still on a list, wherever a part of that ends`() throws {
        let (drive, app) = try drive()
        try declare(1, drive, app)
        var activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        activity.pendingScopes = 1
        drive.ledger.update(activity)
        let pending = Array(5...20) + Array(101...110) + Array(995...1_005) + [1_100]
        let parts = [Array(pending[..<10]), Array(pending[10..<30]), Array(pending[30...])].flatMap {
            MemberRuns.chunks(of: $0.map(Int64.init))
        }
        #expect(parts.count == 3)
        var list = MemberList(
            app: app.id, activity: activity.id, version: 1, operation: 1, purpose: .scope, acceptedAt: drive.now)
        list.processed = 6
        _ = drive.ledger.insert(list, members: parts)
        try drive.run()
        let waiting = Set(pending.filter { $0 > 6 })
        #expect(Set(shown(drive).keys) == Set(1...Self.cards).subtracting(waiting))
    }

    @Test func `keep back those whose devices are still on a list, if their places were kept after that`() throws {
        let (drive, app) = try drive()
        try declare(1, drive, app)
        var activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        activity.pendingScopes = 1
        drive.ledger.update(activity)
        let devices = Dictionary(
            uniqueKeysWithValues: drive.ledger.replicas(of: activity.id, after: 0, limit: .max).map {
                ($0.ordinal, $0.device.rawValue)
            })
        let pending = [5, 900, 995, 1_000, 1_001, 1_100]
        let members = pending.compactMap { devices[$0] }.sorted()
        var list = MemberList(
            app: app.id, activity: activity.id, version: 1, operation: 1, purpose: .pendingStarts(first: 990),
            acceptedAt: drive.now)
        list.processed = try #require(devices[994])
        let parts = [Array(members[..<4]), Array(members[4...])].flatMap { MemberRuns.chunks(of: $0) }
        _ = drive.ledger.insert(list, members: parts)
        try drive.run()
        #expect(Set(shown(drive).keys) == Set(1...Self.cards).subtracting([995, 1_000, 1_001, 1_100]))
    }
}
