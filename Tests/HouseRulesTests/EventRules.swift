import Testing

/// What events tell of, and what is counted, is changed only by `Transaction`, which records it (R15). The removal of a
/// phone or an app records nothing, because all that is recorded of it goes with it.
enum EventRules {
    private static let layers = ["EyotDomain", "EyotEngine", "EyotCommands", "EyotHTTP", "EyotVendors", "EyotServer"]
        .map { "Server/Sources/\($0)/" }
    private static let exempt = [
        "Transaction+Recording.swift", "Transaction+Counting.swift", "ForgetDevice.swift", "RegisterDevice.swift",
        "CreateApp.swift", "RemoveApp.swift",
    ]

    static func unrecorded(_ file: RepositoryFile) -> [Violation] {
        guard layers.contains(where: file.path.hasPrefix), !exempt.contains(where: file.path.hasSuffix) else {
            return []
        }
        return CodeRules.lines(
            of: file,
            with:
                /ledger\.(update\((replica|device|unrecorded)\b|insert\((declaration|replica|place|places)\b|put\(token\b)/,
            "is a change that no event tells of: use the transaction")
    }
}

@Suite("Events")
struct EventRulesTests {
    @Test func `What events tell of is changed by the transaction`() {
        #expect(Repository.here.files.filter(\.isSwift).flatMap(EventRules.unrecorded) == [])
    }

    @Test(
        "A change beside the transaction is found",
        arguments: [
            ("EyotCommands/Devices/ApplyChanges.swift", "try ledger.update(replica, from: former)", 1),
            ("EyotEngine/Deliveries/SettlePage.swift", "try ledger.put(token, in: app)", 1),
            ("EyotCommands/Activities/PlanStarts.swift", "try ledger.insert(places: ids, like: first)", 1),
            ("EyotCommands/Devices/ApplyChanges.swift", "try transaction.update(replica, from: former, in: app)", 0),
            ("EyotEngine/Deliveries/SettlePage.swift", "try ledger.update(activity)", 0),
            ("EyotCommands/Apps/SetHalt.swift", "try ledger.update(unrecorded: app)", 1),
            ("EyotHTTP/Apps/AppRoutes.swift", "try ledger.update(unrecorded: stored)", 1),
            ("EyotCommands/Apps/RemoveApp.swift", "try ledger.update(unrecorded: app)", 0),
            ("EyotCommands/People/ForgetDevice.swift", "try ledger.update(replica)", 0),
        ])
    func planted(path: String, text: String, count: Int) {
        #expect(EventRules.unrecorded(RepositoryFile("Server/Sources/\(path)", text)).count == count)
    }
}
