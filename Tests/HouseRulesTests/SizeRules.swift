import Testing

/// How long things may be.
enum SizeRules {
    static let fileLimit = 500
    static let functionLimit = 70
    static let medianLimit = 150

    static func longFiles(_ files: [RepositoryFile]) -> [Violation] {
        files.filter { $0.length > fileLimit }.map { Violation($0.path, "\($0.length) lines, at most \(fileLimit)") }
    }

    static func median(_ lengths: [Int]) -> Int { lengths.isEmpty ? 0 : lengths.sorted()[lengths.count / 2] }

    static func longFunctions(_ file: RepositoryFile) -> [Violation] {
        functions(of: file).filter { $0.length > functionLimit }
            .map { Violation(file.path, line: $0.line, "a function of \($0.length) lines, at most \(functionLimit)") }
    }

    /// Functions, initialisers, subscripts and computed properties: where each begins, and its lines from the first to
    /// the closing brace. It goes by indentation, which the formatter keeps.
    static func functions(of file: RepositoryFile) -> [(line: Int, length: Int)] {
        file.code.indices.compactMap { start in
            let first = file.code[start]
            guard beginsFunction(first) else { return nil }
            let indent = first.prefix { $0 == " " }
            guard let opening = opening(of: file.code, from: start, indent) else { return nil }
            let isOneLine = opening == start && !first.hasSuffix("{")
            let end = isOneLine ? start : file.code[(opening + 1)...].firstIndex { $0.hasPrefix(indent + "}") }
            return end.map { (start + 1, $0 - start + 1) }
        }
    }

    private static func beginsFunction(_ line: String) -> Bool {
        if line.contains("func ") || line.contains("init") || line.contains("subscript") {
            let form = /^\s*(?:(?:@\w+(?:\([^)]*\))?|[a-z]+(?:\([a-z]+\))?) )*(?:func .+|init[?<(].*|subscript[<(].*)$/
            if line.wholeMatch(of: form) != nil { return true }
        }
        return line.contains("var ") && line.hasSuffix("{") && !line.contains("=")
    }

    /// The line with the brace that opens the body; nil where there is no body, as in a protocol.
    private static func opening(of code: [String], from start: Int, _ indent: Substring) -> Int? {
        for index in code.indices[start...] {
            let line = code[index]
            if line.hasSuffix("{") || (index == start && line.hasSuffix("}") && line.contains("{")) { return index }
            guard index + 1 < code.count else { return nil }
            let next = code[index + 1]
            let goesOn = next.hasPrefix(indent + " ") || next.hasPrefix(indent + ")") || next == indent + "{"
            if !goesOn { return nil }
        }
        return nil
    }
}

@Suite("How long things may be")
struct SizeTests {
    private let here = Repository.here

    @Test func `No file is longer than five hundred lines`() {
        #expect(SizeRules.longFiles(here.files.filter(\.isSwift)) == [])
    }

    @Test func `Half of the files have fewer than a hundred and fifty lines`() {
        let median = SizeRules.median(here.sources.map(\.length))
        #expect((1..<SizeRules.medianLimit).contains(median))
    }

    @Test func `No function is longer than seventy lines`() {
        #expect(here.files.filter(\.isSwift).flatMap(SizeRules.longFunctions) == [])
    }
}

@Suite("How long things may be: planted faults")
struct PlantedSizeTests {
    private func file(_ lines: [String]) -> RepositoryFile {
        RepositoryFile("Sources/A/A.swift", lines.joined(separator: "\n") + "\n")
    }

    @Test func `A file of one line too many is found`() {
        let lines = Array(repeating: "// x", count: 500)
        #expect(SizeRules.longFiles([file(lines)]) == [])
        #expect(SizeRules.longFiles([file(lines + ["// x"])]).count == 1)
    }

    @Test func `The middle of the lengths is the median`() {
        #expect(SizeRules.median([900, 10, 20]) == 20)
        #expect(SizeRules.median([]) == 0)
    }

    @Test(
        "A function of one line too many is found, whatever opens it",
        arguments: [
            ["func a() {"], ["package mutating func a(", "    b: Int", ") throws -> Int {"], ["init?(a: Int) {"],
            ["func a(b: Int)", "    -> Int", "{"], ["static var a: Int {"], ["subscript(a: Int) -> Int {"],
            ["private nonisolated(unsafe) static func a() {"],
        ])
    func found(_ head: [String]) {
        let body = Array(repeating: "    b()", count: 70 - head.count - 1)
        #expect(SizeRules.longFunctions(file(head + body + ["}"])) == [])
        #expect(SizeRules.longFunctions(file(head + body + ["    b()", "}"])).map(\.line) == [1])
    }

    @Test func `What has no body has no length, and a body in one line has one`() {
        let text = file(["protocol P {", "    func a()", "    func b(", "        c: Int", "    ) throws", "}"])
        #expect(SizeRules.functions(of: text).isEmpty)
        #expect(SizeRules.functions(of: file(["func a() { b() }", "func c() {", "}"])).map(\.length) == [1, 2])
    }
}
