import Testing

/// What the page on fidelity says of the simulated phone is what its switches say.
enum FidelityRules {
    static let page = "docs/internals/fidelity.md"
    static let rules = "Sources/PhoneSimulator/PhoneRules.swift"

    /// The switches, with the lines on which they are declared.
    static func switches(of file: RepositoryFile) -> [(name: String, line: Int)] {
        file.code.enumerated().compactMap { index, line in
            line.firstMatch(of: /^ {4}public var (\w+)/).map { (String($0.1), index + 1) }
        }
    }

    /// Switches that the page does not name.
    static func pending(_ file: RepositoryFile, _ page: RepositoryFile) -> [Violation] {
        switches(of: file).filter { !page.text.contains("`\($0.name)`") }
            .map { Violation(file.path, line: $0.line, "\(page.path) does not name \($0.name)") }
    }

    /// Behaviours of the phone that are marked as guesses and name no switch.
    static func unswitched(_ page: RepositoryFile, _ file: RepositoryFile) -> [Violation] {
        let names = switches(of: file).map { "`\($0.name)`" }
        let start = page.lines.firstIndex { $0.hasPrefix("## The phone") } ?? page.lines.endIndex
        return page.lines.indices[start...].filter { index in
            let cells = page.lines[index].split(separator: "|").map(String.init)
            guard cells.count > 1, cells[1].contains("guess") else { return false }
            return !names.contains(where: page.lines[index].contains)
        }.map { Violation(page.path, line: $0 + 1, "a guess without a switch") }
    }
}

@Suite("Guesses about iOS")
struct FidelityTests {
    private let here = Repository.here

    @Test func `Every switch of the phone stands on the page, and every guess on the page has a switch`() throws {
        let (page, rules) = try (here.file(FidelityRules.page), here.file(FidelityRules.rules))
        #expect(FidelityRules.switches(of: rules).count > 20)
        #expect(FidelityRules.pending(rules, page) == [])
        #expect(FidelityRules.unswitched(page, rules) == [])
    }
}

@Suite("Guesses about iOS: planted faults")
struct PlantedFidelityTests {
    private let rules = RepositoryFile(
        FidelityRules.rules, "public struct PhoneRules {\n    public var a = true\n    public var bc: Int?\n}\n")

    private func page(_ rows: String) -> RepositoryFile {
        RepositoryFile(
            FidelityRules.page, "| x | guess | |\n## The phone\n\n| Behaviour | Mark | Source |\n|---|---|---|\n" + rows
        )
    }

    @Test func `A switch that the page does not name is found`() {
        #expect(FidelityRules.pending(rules, page("| x | guess | `a` |\n| y | reported | `b` |\n")).map(\.line) == [3])
        #expect(FidelityRules.pending(rules, page("| x | guess | `a`, `bc` |\n")) == [])
    }

    @Test func `A guess without a switch is found, below the phone's heading`() {
        let rows =
            "| x | guess | `a` |\n| y | documented; a guess before | Pushes |\n| z | reported, no guess | `other` |\n"
        #expect(FidelityRules.unswitched(page(rows), rules).map(\.line) == [7, 8])
        #expect(FidelityRules.unswitched(page("| x | reported | a guess of theirs |\n"), rules) == [])
    }
}
