import Testing

/// What the documentation speaks of is there.
enum DocumentRules {
    /// Folders at the root, below which documents name files.
    static let folders = [
        "Sources/", "Tests/", "Server/", "Examples/", "Bindings/", "scripts/", "docs/", "deploy/", ".ci/",
    ]

    /// A piece of a page that is set as code: between backticks, or a line of a fenced block.
    struct Snippet: Hashable {
        var line: Int
        var words: [String]
    }

    static func snippets(of page: RepositoryFile) -> [Snippet] {
        var isFenced = false
        var snippets: [Snippet] = []
        for (index, line) in page.lines.enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isFenced.toggle()
                continue
            }
            let pieces = isFenced ? [line.trimmingPrefix("$ ")] : line.matches(of: /`([^`]+)`/).map { $0.1 }
            for piece in pieces {
                let words = piece.split(separator: " ").map(String.init)
                if !words.isEmpty { snippets.append(Snippet(line: index + 1, words: words)) }
            }
        }
        return snippets
    }

    /// Paths in code and targets of links that lead nowhere.
    static func deadPaths(_ page: RepositoryFile, _ paths: Set<String>) -> [Violation] {
        var violations: [Violation] = []
        for snippet in snippets(of: page) {
            guard let first = snippet.words.first, folders.contains(where: first.hasPrefix),
                !first.contains(where: { "*…<$".contains($0) })
            else { continue }
            for path in alternatives(first) where !paths.contains(path.hasSuffix("/") ? String(path.dropLast()) : path)
            {
                violations.append(Violation(page.path, line: snippet.line, "there is no \(path)"))
            }
        }
        for (index, line) in page.lines.enumerated() {
            for link in line.matches(of: /\]\(([^)#\s]+)(?:#[^)]*)?\)/).map({ String($0.1) }) where !link.contains(":")
            {
                let path = resolved(link, from: page.path)
                if !paths.contains(path) { violations.append(Violation(page.path, line: index + 1, "no \(path)")) }
            }
        }
        return violations
    }

    /// `a/{b,c}` is `a/b` and `a/c`.
    private static func alternatives(_ path: String) -> [String] {
        guard let braces = path.firstMatch(of: /\{([^{}]*)\}/) else { return [path] }
        return braces.1.split(separator: ",").flatMap {
            alternatives(path.replacing(braces.0, with: $0, maxReplacements: 1))
        }
    }

    private static func resolved(_ link: String, from page: String) -> String {
        var parts = page.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }

    /// Rows of tables without a head: a blank line inside a table makes text of all that follows.
    static func headlessTables(_ page: RepositoryFile) -> [Violation] {
        var isCode = false
        var rows = 0
        var violations: [Violation] = []
        for (index, line) in page.lines.enumerated() {
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode, line.hasPrefix("|") else {
                if rows == 1 { violations.append(Violation(page.path, line: index, "this row has no table")) }
                rows = 0
                continue
            }
            rows += 1
            if rows == 2, !line.hasPrefix("|-") {
                violations.append(Violation(page.path, line: index, "this row has no table"))
            }
        }
        if rows == 1 { violations.append(Violation(page.path, line: page.lines.count, "this row has no table")) }
        return violations
    }

    /// The names of commands: as they are declared, or as ArgumentParser makes them of types' names.
    static func commands(_ files: [RepositoryFile]) -> Set<String> {
        var names: Set<String> = []
        for file in files {
            names.formUnion(file.text.matches(of: /commandName: "([^"]+)"/).map { String($0.1) })
            for match in file.text.matches(of: /struct (\w+): (?:Async)?ParsableCommand/) {
                let words = match.1.matches(of: /[A-Z]+[a-z0-9]*/).map { $0.0.lowercased() }
                names.insert(words.filter { $0 != "command" }.joined(separator: "-"))
            }
        }
        return names
    }

    /// An executable with a first word that is no command. Before there are any commands nothing is said of them.
    static func unknownCommands(
        _ page: RepositoryFile, _ commands: Set<String>, of executable: String = "eyot"
    ) -> [Violation] {
        guard !commands.isEmpty else { return [] }
        return snippets(of: page).compactMap { snippet in
            guard snippet.words.count > 1, snippet.words[0] == executable,
                snippet.words[1].wholeMatch(of: /[a-z][a-z-]*/) != nil, !commands.contains(snippet.words[1])
            else { return nil }
            return Violation(page.path, line: snippet.line, "there is no command \(snippet.words[1])")
        }
    }

    /// The variables of the server's settings, each made of its setting's name.
    static func settings(_ file: RepositoryFile) -> Set<String> {
        let names = file.text.matches(of: /(?m)^\s*case \w+ = "([a-z][a-z-]*)"$/).map { $0.1 }
        return Set(names.map { "EYOT_" + $0.uppercased().replacing("-", with: "_") })
    }

    /// Variables of the environment that stand in a text as they are.
    static func variables(_ files: [RepositoryFile]) -> Set<String> {
        Set(files.flatMap { $0.text.matches(of: /\bEYOT_[A-Z][A-Z_]*[A-Z]\b/).map { String($0.0) } })
    }
}

@Suite("What the documentation speaks of")
struct DocumentTests {
    private let here = Repository.here

    @Test func `Every path and every link leads somewhere`() {
        let isThere = !here.documents.isEmpty
        #expect(isThere)
        #expect(here.documents.flatMap { DocumentRules.deadPaths($0, here.paths) } == [])
    }

    @Test func `Every row of a table has a head`() {
        #expect(here.documents.flatMap { DocumentRules.headlessTables($0) } == [])
    }

    @Test func `Every command is one that we have`() {
        for executable in ["eyot", "eyot-bench"] {
            let commands = DocumentRules.commands(here.swift(under: "Server/Sources/\(executable)"))
            #expect(here.documents.flatMap { DocumentRules.unknownCommands($0, commands, of: executable) } == [])
        }
    }

    @Test func `Code and documents know the same variables of the environment`() throws {
        let settings = try here.file("Server/Sources/EyotServer/Settings/Setting.swift")
        let read = DocumentRules.variables(here.sources + here.scripts).union(DocumentRules.settings(settings))
        let documented = DocumentRules.variables(here.documents)
        #expect(documented.subtracting(read) == [], "documented, and read nowhere")
        #expect(read.subtracting(documented) == [], "read, and documented nowhere")
    }
}

@Suite("What the documentation speaks of: planted faults")
struct PlantedDocumentTests {
    private let paths: Set = ["scripts", "scripts/test", "docs/a.md", "README.md", "Sources", "Sources/A"]

    private func page(_ text: String) -> RepositoryFile { RepositoryFile("docs/page.md", text) }

    @Test(
        "A dead path is found",
        arguments: [
            "`Sources/B`", "Run `scripts/tests --all`.", "```\n$ scripts/demos\n```", "`scripts/{test,lint}`",
            "[a](b.md)", "[a](../READ.md#part)",
        ])
    func deadPath(_ text: String) {
        #expect(DocumentRules.deadPaths(page(text), paths).count == 1)
    }

    @Test(
        "A living one is not, nor what only looks like a path",
        arguments: [
            "`Sources/A/`", "Run `scripts/test --filter x`.", "[a](a.md)", "[a](../README.md#part)", "`/v1/activities`",
            "`Sources/*`", "[a](https://a.b/c)", "a/b", "`scripts/{test}`",
        ])
    func livingPath(_ text: String) {
        #expect(DocumentRules.deadPaths(page(text), paths) == [])
    }

    @Test func `A row that a blank line tears off its table is found, and a row in code is none`() {
        let table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
        #expect(DocumentRules.headlessTables(page(table + "\n```\n| 3 |\n```\n")) == [])
        #expect(DocumentRules.headlessTables(page(table + "\n| 3 | 4 |\n")).map(\.line) == [5])
        #expect(DocumentRules.headlessTables(page(table + "\n| 3 | 4 |\n| 5 | 6 |")).map(\.line) == [5])
    }

    @Test func `Commands are known by their declared names and by those of their types`() {
        let file = RepositoryFile(
            "Server/Sources/eyot/A.swift",
            "struct DemoCommand: AsyncParsableCommand {}\nstruct A: ParsableCommand { let x = C(commandName: \"serve\") }"
        )
        #expect(DocumentRules.commands([file]) == ["demo", "a", "serve"])
    }

    @Test func `A command that nobody has is found`() {
        let text = page("`eyot serve`, `eyot play`, `eyot --help`\n```\neyot dance\n```")
        #expect(DocumentRules.unknownCommands(text, ["serve"]).map(\.line) == [1, 3])
        #expect(DocumentRules.unknownCommands(text, []) == [])
    }

    @Test func `Variables of settings are made of their names`() {
        let code = "    case httpPort = \"http-port\"\n    case .httpPort: \"8080\"\n"
        #expect(DocumentRules.settings(RepositoryFile("Setting.swift", code)) == ["EYOT_HTTP_PORT"])
    }

    @Test func `Variables are found by their form`() {
        #expect(
            DocumentRules.variables([page("`EYOT_URL`, EYOT_… and EYOT_API_KEY=x")]) == ["EYOT_URL", "EYOT_API_KEY"])
    }
}
