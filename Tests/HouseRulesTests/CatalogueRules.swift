import Testing

/// The page of errors says what the catalogue in the code says.
enum CatalogueRules {
    struct Row: Hashable, CustomStringConvertible {
        var code: String
        var status: String
        var cause: String
        var remedy: String

        /// As it stands on the page.
        var description: String { "| `\(code)` | \(status) | \(cause) | \(remedy) |" }
    }

    /// The rows of the table that `EyotError.Code` looks its words up in.
    static func rows(ofCatalogue text: String) -> [Row] {
        let form = /(?m)^\s*\.(\w+):\s*\(\s*(\d{3}),\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\s*\)/
        return text.matches(of: form).map {
            Row(code: String($0.1), status: String($0.2), cause: unescaped($0.3), remedy: unescaped($0.4))
        }
    }

    /// The names of the cases, whether or not they have a row.
    static func codes(ofCatalogue text: String) -> Set<String> {
        guard let body = text.firstMatch(of: /enum Code: String[^{]*\{([^}]*)\}/)?.1 else { return [] }
        return Set(body.matches(of: /(?m)^\s*case ([\w, ]+)$/).flatMap { $0.1.matches(of: /\w+/).map { String($0.0) } })
    }

    /// The rows of the page's table.
    static func rows(ofPage text: String) -> [Row] {
        text.matches(of: /(?m)^\| `(\w+)` \| (\d{3}) \| ([^|]*) \| ([^|]*) \|$/).map {
            Row(code: String($0.1), status: String($0.2), cause: String($0.3), remedy: String($0.4))
        }
    }

    /// The codes of warnings that the page lists.
    static func warnings(ofPage text: String) -> [String] {
        guard let section = text.firstMatch(of: /(?s)\n## Warnings\n(.*?)(?:\n## |$)/)?.1 else { return [] }
        return section.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) }
    }

    private static func unescaped(_ text: Substring) -> String { String(text.replacing(/\\(.)/) { $0.1 }) }
}

@Suite("The catalogue of errors")
struct CatalogueTests {
    @Test func `The page of errors says what the code says`() throws {
        let code = try Repository.here.file("Server/Sources/EyotDomain/Errors/EyotError.swift").text
        let rows = try Repository.here.file("Server/Sources/EyotDomain/Errors/EyotError+Catalogue.swift").text
        let page = try Repository.here.file("docs/reference/errors.md").text
        let catalogue = CatalogueRules.rows(ofCatalogue: rows)
        #expect(!catalogue.isEmpty)
        #expect(Set(catalogue.map(\.code)) == CatalogueRules.codes(ofCatalogue: code))
        let listed = CatalogueRules.rows(ofPage: page)
        #expect(Set(catalogue).subtracting(listed) == [], "not on the page, or with other words")
        #expect(Set(listed).subtracting(catalogue) == [], "on the page only")
        #expect(listed.map(\.code) == listed.map(\.code).sorted())
    }

    @Test func `The page of errors lists each code of a warning`() throws {
        let code = try Repository.here.file("Server/Sources/EyotCommands/Reach/ChannelWarning.swift").text
        let page = try Repository.here.file("docs/reference/errors.md").text
        let listed = CatalogueRules.warnings(ofPage: page)
        #expect(Set(listed) == CatalogueRules.codes(ofCatalogue: code))
        #expect(!listed.isEmpty && listed == listed.sorted())
    }
}

@Suite("The catalogue of errors: planted faults")
struct PlantedCatalogueTests {
    private let code = """
        package enum Code: String, Sendable {
            case ended, unknown
            case later
        }
        .ended: (409, "It \\"ended\\".", "Start it."),
        .unknown:
            (
                404, "Nobody knows it.",
                "Check it."
            ),
        """

    @Test func `The rows of the catalogue are read, however they are broken`() {
        #expect(
            CatalogueRules.rows(ofCatalogue: code) == [
                .init(code: "ended", status: "409", cause: "It \"ended\".", remedy: "Start it."),
                .init(code: "unknown", status: "404", cause: "Nobody knows it.", remedy: "Check it."),
            ])
        #expect(CatalogueRules.codes(ofCatalogue: code) == ["ended", "unknown", "later"])
    }

    @Test func `A row of the page that differs in a word differs`() {
        let page =
            "| Code | Status | Cause | What to do |\n|---|---|---|---|\n| `ended` | 409 | It \"ended\". | Start. |\n"
        let listed = CatalogueRules.rows(ofPage: page)
        #expect(listed.count == 1)
        #expect(Set(CatalogueRules.rows(ofCatalogue: code)).subtracting(listed).count == 2)
    }
}
