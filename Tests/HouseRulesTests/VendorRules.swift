import Testing

/// A vendor is a folder of `EyotVendors`. Code of the layers below names none, so that another vendor changes nothing
/// there. The history of the tables is as it was.
enum VendorRules {
    private static let layers = [
        "EyotDomain", "EyotEngine", "EyotCommands", "EyotIdentity", "EyotStore", "EyotSQLite", "HTTPConnections",
        "EyotHTTP",
    ]

    static func names(_ file: RepositoryFile) -> [Violation] {
        let isBelow = layers.contains { file.path.hasPrefix("Server/Sources/\($0)/") }
        guard isBelow, !file.path.contains("/Schema/") else { return [] }
        return CodeRules.lines(of: file, with: /(?i)netmera|airship|braze|insider/, "names a vendor")
    }
}

@Suite("Vendors")
struct VendorRulesTests {
    @Test func `No layer below the vendors names one`() {
        #expect(Repository.here.files.filter(\.isSwift).flatMap(VendorRules.names) == [])
    }

    @Test(
        "A name below the vendors is found, and none in a comment, in the tables' history or above",
        arguments: [
            ("EyotHTTP/Apps/Keys.swift", "if plane == .braze {", 1), ("EyotHTTP/Apps/Keys.swift", "// Braze's id", 0),
            ("EyotStore/Schema/FirstTables.swift", "let name = \"insider\"", 0),
            ("EyotVendors/Braze/Braze.swift", "let braze = 1", 0),
        ])
    func planted(path: String, text: String, count: Int) {
        #expect(VendorRules.names(RepositoryFile("Server/Sources/\(path)", text)).count == count)
    }
}
