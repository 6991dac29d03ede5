import Testing

/// The code in the documentation of libraries compiles.
enum SnippetRules {
    /// Where it stands a second time, word for word, in files that are compiled.
    static let folders = ["Tests/EyotKitTests/Snippets/", "Tests/SnippetTests/Code/Guides/"]

    /// Whether the code of this page is compiled here. The lab's page is not, because it shows a manifest and a test of
    /// the server's package.
    static func isCompiled(_ path: String) -> Bool {
        path.contains(".docc/") || path.hasPrefix("docs/") && path.hasSuffix(".md") && path != "docs/reference/lab.md"
    }

    /// A block of Swift on a page.
    struct Block: Equatable {
        var line: Int
        /// Without indentation.
        var lines: [Substring]
    }

    static func blocks(of page: RepositoryFile) -> [Block] {
        var blocks: [Block] = []
        var isSwift = false
        for (index, line) in page.lines.enumerated() {
            let text = bare(line)
            if text.hasPrefix("```") {
                isSwift = text == "```swift"
                if isSwift { blocks.append(Block(line: index + 1, lines: [])) }
            } else if isSwift {
                blocks[blocks.count - 1].lines.append(text)
            }
        }
        return blocks
    }

    /// Blocks that stand in no file that is compiled.
    static func uncompiled(_ pages: [RepositoryFile], _ files: [RepositoryFile]) -> [Violation] {
        let compiled = files.map { $0.lines.map(bare) }
        return pages.flatMap { page in
            blocks(of: page).filter { block in !compiled.contains { contains($0, block.lines) } }
                .map { Violation(page.path, line: $0.line, "this code stands in no file of \(folders)") }
        }
    }

    private static func contains(_ lines: [Substring], _ block: [Substring]) -> Bool {
        guard let first = block.first else { return true }
        return lines.indices.contains { lines[$0] == first && lines[$0...].starts(with: block) }
    }

    private static func bare(_ line: some StringProtocol) -> Substring {
        Substring(String(line).drop { $0 == " " })
    }
}

@Suite("The code in documentation")
struct SnippetTests {
    private let here = Repository.here

    @Test func `All of it is compiled`() {
        let pages = here.files.filter { SnippetRules.isCompiled($0.path) }
        #expect(pages.count { $0.path.contains(".docc/") } >= 6)
        #expect(pages.count { !$0.path.contains(".docc/") && !SnippetRules.blocks(of: $0).isEmpty } >= 4)
        let files = here.files.filter { file in SnippetRules.folders.contains { file.path.hasPrefix($0) } }
        #expect(SnippetRules.uncompiled(pages, files) == [])
    }

    @Test func `A block that differs in a word is found, one that is only indented otherwise is not`() {
        let page = RepositoryFile("a.docc/A.md", "Text\n```swift\nlet a = 1\nlet b = 2\n```\n```sh\nx\n```\n")
        let same = RepositoryFile("S.swift", "func f() {\n    let a = 1\n    let b = 2\n}\n")
        let other = RepositoryFile("S.swift", "let a = 1\nlet b = 3\n")
        #expect(SnippetRules.uncompiled([page], [same]) == [])
        #expect(SnippetRules.uncompiled([page], [other]).map(\.line) == [2])
        #expect(SnippetRules.uncompiled([page], []).count == 1)
    }
}
