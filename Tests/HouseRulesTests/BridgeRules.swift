import Testing

/// The bridge's codes of errors are the same in Swift, in the binding's types and in the guide.
enum BridgeRules {
    /// The cases of `BridgeError.Code`.
    static func codes(ofSwift file: RepositoryFile) -> [String] {
        file.code.compactMap { $0.firstMatch(of: /^ {8}case (\w+)$/).map { String($0.1) } }
    }

    /// The members of the type `LiveActivityErrorCode`.
    static func codes(ofTypes file: RepositoryFile) -> [String] {
        guard let union = file.text.firstMatch(of: /type LiveActivityErrorCode =([^;]*);/)?.1 else { return [] }
        return union.matches(of: /\| '(\w+)'/).map { String($0.1) }
    }

    /// The first cells of the guide's table of errors.
    static func codes(ofGuide file: RepositoryFile) -> [String] {
        file.text.split(separator: "## Errors").dropFirst().first?.matches(of: /(?m)^\| `(\w+)` \|/)
            .map { String($0.1) } ?? []
    }
}

@Suite("The bridge's codes of errors")
struct BridgeRulesTests {
    /// What only JavaScript can meet.
    private let ofTransports = ["transportFailed"]

    @Test func `The same codes stand in Swift, in the binding's types and in the guide`() throws {
        let here = Repository.here
        let codes = BridgeRules.codes(ofSwift: try here.file("Sources/EyotBridge/BridgeError.swift"))
        #expect(codes.count > 10)
        #expect(BridgeRules.codes(ofTypes: try here.file("Bindings/javascript/index.d.ts")) == codes + ofTransports)
        #expect(BridgeRules.codes(ofGuide: try here.file("docs/guides/javascript.md")) == codes + ofTransports)
    }

    @Test func `Codes are read from each of the three`() {
        let swift = RepositoryFile(
            "A.swift", "enum Code {\n        /// One.\n        case one\n        case .two: 1\n}")
        #expect(BridgeRules.codes(ofSwift: swift) == ["one"])
        let types = RepositoryFile("a.d.ts", "type LiveActivityErrorCode =\n  | 'one'\n  /** Two. */\n  | 'two';\n'x'")
        #expect(BridgeRules.codes(ofTypes: types) == ["one", "two"])
        let guide = RepositoryFile("a.md", "| `zero` | a |\n## Errors\n| Code | a |\n| `one` | a |\n")
        #expect(BridgeRules.codes(ofGuide: guide) == ["one"])
    }
}
