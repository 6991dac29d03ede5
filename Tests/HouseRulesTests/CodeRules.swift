import Testing

/// Words that may not stand in code, or not without a reason beside them.
enum CodeRules {
    /// Lines of code that a pattern is found in.
    static func lines(of file: RepositoryFile, with pattern: some RegexComponent, _ words: String) -> [Violation] {
        file.code.enumerated().filter { $1.firstMatch(of: pattern) != nil }
            .map { Violation(file.path, line: $0.offset + 1, words) }
    }

    static func unstructuredTasks(_ file: RepositoryFile) -> [Violation] {
        lines(of: file, with: /\bTask\s*(?:\(|\{|\.detached|\.immediate)/, "a task that nobody waits for")
    }

    static func detachedTasks(_ file: RepositoryFile) -> [Violation] {
        lines(of: file, with: /\bTask\.detached\b/, "a detached task")
    }

    /// What the compiler is told to believe has its proof in a comment on the line before, attributes aside.
    static func unproved(_ file: RepositoryFile) -> [Violation] {
        lines(of: file, with: /@unchecked\s+Sendable|nonisolated\(unsafe\)/, "no comment before it says why it is safe")
            .filter { violation in
                let before = file.lines.prefix((violation.line ?? 1) - 1).reversed().map { $0.drop { $0 == " " } }
                return before.first { !$0.hasPrefix("@") }?.hasPrefix("//") != true
            }
    }

    static func forcedTries(_ file: RepositoryFile) -> [Violation] {
        lines(of: file, with: /\btry!/, "try! ends the process where it fails")
    }

    static func sleeps(_ file: RepositoryFile) -> [Violation] {
        lines(
            of: file,
            with:
                /\bTask\.sleep\b|\bThread\.sleep\b|\b(?:Continuous|Suspending)Clock\(\)\.sleep\b|(?:^|[^.\w])u?sleep\(|\bnanosleep\(/,
            "a test that sleeps is slow on a good day and red on a bad one"
        )
        .filter { file.code[($0.line ?? 1) - 1].firstMatch(of: /func sleep\(/) == nil }
    }

    /// A port in a call or in an address to connect to. Text that is only compared is no port.
    static func fixedPorts(_ file: RepositoryFile) -> [Violation] {
        lines(of: file, with: /\b[pP]ort: [1-9]\d*\b/, "a fixed port may be taken")
    }

    /// A limit is for what hangs. All tests begin at once, so that it counts what the others compute meanwhile.
    static func impatience(_ file: RepositoryFile) -> [Violation] {
        lines(of: file, with: /\btimeLimit\((?!\.minutes\(10\)\))/, "time limits of tests are ten minutes")
    }

    /// Finds reminders of unfinished work, in any text file.
    static func leftovers(_ file: RepositoryFile) -> [Violation] {
        let form = /\b(?:TO-?DO|FIX-?ME|XXX)\b/
        return file.lines.enumerated().filter { $1.firstMatch(of: form) != nil }
            .map { Violation(file.path, line: $0.offset + 1, "something left undone") }
    }
}

@Suite("What may not stand in code")
struct CodeTests {
    private let here = Repository.here
    private var swift: [RepositoryFile] { here.files.filter(\.isSwift) }

    @Test func `Model, engine and commands begin no task that nobody waits for`() {
        let files = here.swift(
            under: "Server/Sources/EyotDomain", "Server/Sources/EyotEngine", "Server/Sources/EyotCommands")
        #expect(!files.isEmpty)
        #expect(files.flatMap(CodeRules.unstructuredTasks) == [])
    }

    @Test func `No task is detached`() {
        #expect(swift.flatMap(CodeRules.detachedTasks) == [])
    }

    @Test func `Whoever overrules the compiler says why it is safe`() {
        #expect(swift.flatMap(CodeRules.unproved) == [])
    }

    @Test func `Nothing is tried by force`() {
        #expect(swift.flatMap(CodeRules.forcedTries) == [])
    }

    @Test func `No test sleeps`() {
        #expect(here.tests.flatMap(CodeRules.sleeps) == [])
    }

    @Test func `No test takes a fixed port`() {
        #expect(here.tests.flatMap(CodeRules.fixedPorts) == [])
    }

    @Test func `No test is red because others take long`() {
        #expect(here.tests.flatMap(CodeRules.impatience) == [])
    }

    @Test func `Nothing is left undone`() {
        let files = (here.sources + here.scripts + here.tests).filter { !$0.path.hasSuffix("CodeRules.swift") }
        #expect(files.flatMap(CodeRules.leftovers) == [])
    }
}

@Suite("What may not stand in code: planted faults")
struct PlantedCodeTests {
    private func file(_ text: String) -> RepositoryFile { RepositoryFile("Tests/A/A.swift", text) }

    @Test(
        "A task that nobody waits for is found",
        arguments: ["Task { a() }", "let a = Task(priority: .high) {", "Task.detached {", "Task.immediate {"])
    func unstructured(_ line: String) {
        #expect(CodeRules.unstructuredTasks(file(line)).count == 1)
    }

    @Test func `A task of a group, and the word in a comment or a text, are not`() {
        let text =
            "group.addTask { a() }\n// Task { }\nlet a = \"Task { } \\(b(\"Task {\")) Task {\"\nlet b: Task<Int, Never>"
        #expect(CodeRules.unstructuredTasks(file(text)) == [])
    }

    @Test func `A detached task is found`() {
        #expect(CodeRules.detachedTasks(file("let a = Task.detached { }")).count == 1)
        #expect(CodeRules.detachedTasks(file("let a = Task { }")) == [])
    }

    @Test func `A promise to the compiler without a reason is found`() {
        #expect(CodeRules.unproved(file("\nfinal class A: @unchecked Sendable {")).count == 1)
        #expect(CodeRules.unproved(file("let b = 1\n@available(iOS 17, *)\nnonisolated(unsafe) var a = 1")).count == 1)
        #expect(CodeRules.unproved(file("/// Guarded by a lock.\n@Foo\nfinal class A: @unchecked Sendable {")) == [])
        #expect(CodeRules.unproved(file("    // Only the loop touches it.\n    nonisolated(unsafe) var a = 1")) == [])
    }

    @Test func `A try by force is found`() {
        #expect(CodeRules.forcedTries(file("let a = try! b()")).count == 1)
        #expect(CodeRules.forcedTries(file("let a = try? b() // try! c()")) == [])
    }

    @Test(
        "A sleep is found",
        arguments: [
            "try await Task.sleep(for: .seconds(1))", "usleep(5)", "sleep(1)", "Thread.sleep(forTimeInterval: 1)",
            "try await ContinuousClock().sleep(for: .zero)", "nanosleep(&a, nil)",
        ])
    func sleeps(_ line: String) {
        #expect(CodeRules.sleeps(file(line)).count == 1)
    }

    @Test func `A clock that a test moves by hand may sleep`() {
        #expect(
            CodeRules.sleeps(file("func sleep(until moment: Instant) async {\ntry await clock.sleep(for: a)")) == [])
    }

    @Test func `A fixed port is found, and 0 is none`() {
        #expect(CodeRules.fixedPorts(file("try await server.listen(host: a, port: 8080)")).count == 1)
        #expect(CodeRules.fixedPorts(file("try await server.listen(port: 0)\nlet port: Int")) == [])
    }

    @Test func `A time limit that is too short is found`() {
        #expect(CodeRules.impatience(file("@Suite(.serialized, .timeLimit(.minutes(1)))")).count == 1)
        #expect(CodeRules.impatience(file("@Suite(.timeLimit(.minutes(10)))")) == [])
    }

    @Test func `Something left undone is found, in a comment too`() {
        #expect(CodeRules.leftovers(file("// TODO: later")).count == 1)
        #expect(CodeRules.leftovers(file("// FIXME")).count == 1)
        #expect(CodeRules.leftovers(file("let todos = 1 // nothing to do")) == [])
    }
}

@Suite("Swift text without comments and texts")
struct SwiftTextTests {
    @Test(
        "Only code is left",
        arguments: [
            ("let a = 1 // b", "let a = 1 "), ("let a = \"b // c\" + d", "let a = \"\" + d"),
            ("let a = \"b \\\" c\" + d", "let a = \"\" + d"), ("a(\"b \\(c(\"d\")) e\", f)", "a(\"c(\"\")\", f)"),
            ("let a = #\"b \" \\( c\"# + d", "let a = \"\" + d"), ("let a = \"http://b\"", "let a = \"\""),
            ("let a = \"\" + b", "let a = \"\" + b"), ("a = #\"\\#(b)\"#", "a = \"b\""),
        ])
    func code(_ text: String, _ code: String) {
        #expect(SwiftText.code(of: text) == [code])
    }

    @Test func `Lines keep their number over a text of several lines`() {
        #expect(
            SwiftText.code(of: "a = \"\"\"\n    b \"c\" // d\n    \"\"\"\ne") == ["a = \"", "", "\"", "e"])
    }
}
