import Testing

/// The changelog has one form, so that people and programs find their way.
enum ChangelogRules {
    static let kinds: Set<String> = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]

    static func faults(of text: String) -> [Violation] {
        var violations: [Violation] = []
        func add(_ line: Int, _ words: String) { violations.append(Violation("CHANGELOG.md", line: line, words)) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.first != "# Changelog" { add(1, "does not begin with its title") }
        var versions: [String] = []
        var kind: String?
        for (index, line) in lines.enumerated() {
            if let version = line.wholeMatch(of: /## (.*)/)?.1 {
                versions.append(String(version))
                kind = nil
                if version != "Unreleased", version.wholeMatch(of: /\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d/) == nil {
                    add(index + 1, "a version is Unreleased, or has the form 1.2.3 - 2026-01-31")
                }
            } else if let name = line.wholeMatch(of: /### (.*)/)?.1 {
                kind = String(name)
                if !kinds.contains(String(name)) { add(index + 1, "\(name) is no kind of change") }
            } else if line.hasPrefix("- "), kind == nil {
                add(index + 1, "a change without a kind")
            } else if line.hasPrefix("* ") {
                add(index + 1, "a change begins with a dash")
            }
        }
        if versions.first != "Unreleased" { add(1, "the first section is not Unreleased") }
        return violations
    }
}

@Suite("The changelog")
struct ChangelogTests {
    @Test func `The changelog has its form`() throws {
        let text = try Repository.here.file("CHANGELOG.md").text
        #expect(ChangelogRules.faults(of: text) == [])
    }
}

@Suite("The changelog: planted faults")
struct PlantedChangelogTests {
    @Test(
        "A fault of form is found",
        arguments: [
            "# Changes\n\n## Unreleased", "# Changelog\n\n## 1.0.0 - 2026-01-31", "# Changelog\n## Unreleased\n## 1.0",
            "# Changelog\n## Unreleased\n### New", "# Changelog\n## Unreleased\n- a",
            "# Changelog\n## Unreleased\n### Added\n* a",
        ])
    func found(_ text: String) {
        #expect(ChangelogRules.faults(of: text).count == 1)
    }

    @Test func `A good one has none`() {
        let text =
            "# Changelog\n\n## Unreleased\n\n### Added\n\n- a\n  b\n\n## 1.0.0 - 2026-01-31\n\n### Fixed\n\n- c\n"
        #expect(ChangelogRules.faults(of: text) == [])
    }
}
