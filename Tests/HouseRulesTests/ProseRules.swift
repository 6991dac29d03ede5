import Foundation
import Testing

/// How comments, documents and commits are written.
enum ProseRules {
    /// Columns of a comment or of a line of prose.
    static let columns = 120
    /// Words of a sentence in a document.
    static let longestSentence = 35
    /// Words that half of a page's sentences have at most.
    static let medianSentence = 18
    /// Columns of a commit's subject.
    static let subjectColumns = 72

    /// Words that hide which thing of the model is meant, and words that are out of use.
    nonisolated(unsafe) static let vague =
        /\b(?:whom|whose|whoever|somebody|nobody|everybody|be it|so many|whence|thereby|hence)\b/.ignoresCase()

    /// The comment in a line; nil where the line is no comment.
    static func comment(_ line: String) -> Substring? {
        let text = line.drop { $0 == " " }
        return text.hasPrefix("//") ? text : nil
    }

    static func wideComments(_ file: RepositoryFile) -> [Violation] {
        file.lines.enumerated().compactMap { index, line in
            guard comment(line) != nil, line.count > columns else { return nil }
            return Violation(file.path, line: index + 1, "a comment of \(line.count) columns, at most \(columns)")
        }
    }

    static func vagueComments(_ file: RepositoryFile) -> [Violation] {
        file.lines.enumerated().compactMap { index, line in
            guard let match = comment(line)?.firstMatch(of: vague) else { return nil }
            return Violation(file.path, line: index + 1, "\"\(match.0)\" names nothing of the model")
        }
    }

    // MARK: Documents

    /// A run of lines that belong together: a paragraph, or an item of a list. Code, tables and headings are none.
    struct Paragraph: Hashable {
        var line: Int
        var text: String
    }

    static func paragraphs(of page: RepositoryFile) -> [Paragraph] {
        var paragraphs: [Paragraph] = []
        var isCode = false
        var isOpen = false
        for (index, line) in page.lines.enumerated() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("```") { isCode.toggle() }
            let isProse = !isCode && !text.isEmpty && !["```", "|", "#", "<"].contains { text.hasPrefix($0) }
            guard isProse else {
                isOpen = false
                continue
            }
            let isItem = text.firstMatch(of: /^(?:[-*]|\d+\.)[ ]/) != nil
            if isOpen, !isItem {
                paragraphs[paragraphs.count - 1].text += " " + text
            } else {
                paragraphs.append(
                    Paragraph(line: index + 1, text: String(text).replacing(/^(?:[-*]|\d+\.)[ ]/, with: "")))
            }
            isOpen = true
        }
        return paragraphs
    }

    /// Counts the words of each sentence in a paragraph. Code counts as a word, and a link's target does not count.
    static func sentenceLengths(_ paragraph: Paragraph) -> [Int] {
        paragraph.text.replacing(/`[^`]*`/, with: "code").replacing(/\]\([^)]*\)/, with: "]")
            .split(separator: /[.!?][)*"]*(?:\s+|$)/)
            .map { sentence in sentence.split(separator: " ").count { $0.contains(where: \.isLetter) } }
            .filter { $0 > 0 }
    }

    static func longSentences(_ page: RepositoryFile) -> [Violation] {
        paragraphs(of: page).flatMap { paragraph in
            sentenceLengths(paragraph).filter { $0 > longestSentence }.map {
                Violation(page.path, line: paragraph.line, "a sentence of \($0) words, at most \(longestSentence)")
            }
        }
    }

    /// The middle of a page's sentences; 0 where it has few.
    static func median(of page: RepositoryFile) -> Int {
        let lengths = paragraphs(of: page).flatMap(sentenceLengths)
        return lengths.count < 8 ? 0 : SizeRules.median(lengths)
    }

    static func vagueSentences(_ page: RepositoryFile) -> [Violation] {
        paragraphs(of: page).compactMap { paragraph in
            guard let match = paragraph.text.firstMatch(of: vague) else { return nil }
            return Violation(page.path, line: paragraph.line, "\"\(match.0)\" names nothing of the model")
        }
    }

    // MARK: Commits

    /// The last commit before subjects had rules.
    private static let lastWithoutRules = "3ab5a24"

    /// The subjects of the commits since subjects have rules; none if the history is not there.
    static func subjects(in root: URL) throws -> [String] {
        let (git, output) = (Process(), Pipe())
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments = ["git", "-C", root.path, "log", "--no-merges", "--format=%s", "\(lastWithoutRules)..HEAD"]
        (git.standardOutput, git.standardError) = (output, FileHandle.nullDevice)
        try git.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        git.waitUntilExit()
        return git.terminationStatus == 0 ? text.split(separator: "\n").map(String.init) : []
    }

    static func fault(ofSubject subject: String) -> String? {
        if subject.count > subjectColumns { return "\(subject.count) columns, at most \(subjectColumns)" }
        if let first = subject.split(separator: " ").first, ["Say", "Let", "Ask"].contains(first) {
            return "\(first) says nothing of what changed"
        }
        return subject.hasSuffix(".") ? "ends with a full stop" : nil
    }
}

@Suite("How comments and documents are written")
struct ProseTests {
    private let here = Repository.here

    private var pages: [RepositoryFile] { here.files.filter { $0.path.hasSuffix(".md") } }

    private var sources: [RepositoryFile] { here.files.filter(\.isSwift) }

    @Test func `Comments have 120 columns at most`() {
        #expect(sources.flatMap(ProseRules.wideComments) == [])
    }

    @Test func `Comments speak of the model`() {
        #expect(sources.flatMap(ProseRules.vagueComments) == [])
    }

    @Test func `Sentences of documents are short`() {
        #expect(pages.flatMap(ProseRules.longSentences) == [])
        #expect(pages.filter { ProseRules.median(of: $0) > ProseRules.medianSentence }.map(\.path) == [])
    }

    @Test func `Documents speak of the model`() {
        #expect(pages.flatMap(ProseRules.vagueSentences) == [])
    }

    @Test func `Subjects of commits say what changed`() throws {
        for subject in try ProseRules.subjects(in: here.root) {
            #expect(ProseRules.fault(ofSubject: subject) == nil, "\(subject)")
        }
    }

    // MARK: Faults

    private func swift(_ line: String) -> RepositoryFile { RepositoryFile("Sources/A.swift", line) }

    private func page(_ text: String) -> RepositoryFile { RepositoryFile("docs/a.md", text) }

    @Test func `A wide comment is found, and wide code is not`() {
        let wide = String(repeating: "x", count: 118)
        #expect(ProseRules.wideComments(swift("/// " + wide)).map(\.line) == [1])
        #expect(ProseRules.wideComments(swift("let a = \"\(wide)\"")) == [])
        #expect(ProseRules.wideComments(swift("    /// \(wide.dropLast(6))")) == [])
    }

    @Test(arguments: ["/// Whom it concerns.", "// Hence it waits.", "    /// The app of somebody."])
    func `A vague word in a comment is found`(line: String) {
        #expect(ProseRules.vagueComments(swift(line)).map(\.line) == [1])
    }

    @Test func `A vague word in code or in a name is none`() {
        #expect(ProseRules.vagueComments(swift("let nobody = whom")) == [])
        #expect(ProseRules.vagueComments(swift("/// The `nobodyElse` of it, and those who wait.")) == [])
    }

    @Test func `Sentences are counted over lines, by paragraph and item, without code and tables`() {
        let text = """
            # A heading of a good many words that is no sentence

            One two `three four` [five](six.md). Seven
            eight nine!
            - One two.
            - Three.

            ```sh
            a b c d
            ```
            | a b | c d |
            """
        let lengths = ProseRules.paragraphs(of: page(text)).map(ProseRules.sentenceLengths)
        #expect(lengths == [[4, 3], [2], [1]])
    }

    @Test func `A long sentence and a long-winded page are found`() {
        let sentence = Array(repeating: "word", count: 36).joined(separator: " ") + "."
        #expect(ProseRules.longSentences(page(sentence)).count == 1)
        #expect(ProseRules.longSentences(page(sentence.replacing("word word", with: "word. Word"))) == [])
        let windy = Array(repeating: Array(repeating: "word", count: 19).joined(separator: " ") + ".", count: 8)
        #expect(ProseRules.median(of: page(windy.joined(separator: " "))) == 19)
        #expect(ProseRules.vagueSentences(page("It is known whose it is.")).count == 1)
    }

    @Test func `A subject that is wide or says nothing is found`() {
        #expect(ProseRules.fault(ofSubject: "Bury a start token on 410") == nil)
        #expect(ProseRules.fault(ofSubject: String(repeating: "x", count: 73)) != nil)
        #expect(ProseRules.fault(ofSubject: "Say what it takes") != nil)
        #expect(ProseRules.fault(ofSubject: "Mend it.") != nil)
    }
}
