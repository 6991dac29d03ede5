import Foundation
import Testing

/// What of the examples and bindings cannot be compiled here is parsed at least, and stands on the page that says so.
enum ExampleRules {
    static let page = "docs/never-run-on-a-device.md"
    /// Folders of sources that no manifest of ours names.
    static let folders = ["Examples", "Bindings"]
    /// What of them is compiled all the same: a test target links these folders.
    static let compiled = ["Examples/ios-app/Shared/", "Examples/ios-app/Recorder/"]
    /// Languages that are not compiled or run here. (What is in Python is run.)
    static let foreign = [
        ".swift", ".h", ".m", ".mm", ".kt", ".java", ".ts", ".tsx", ".podspec", ".plist", ".entitlements", ".yml",
    ]

    /// The sources that nothing here compiles or runs.
    static func neverRun(_ paths: Set<String>) -> [String] {
        paths.filter { path in
            folders.contains { path.hasPrefix($0 + "/") } && foreign.contains(where: path.hasSuffix)
                && !compiled.contains(where: path.hasPrefix) && !path.contains("/node_modules/")
        }.sorted()
    }

    /// Sources that the page does not name in code: themselves, or a folder of theirs that ends with a slash.
    static func pending(_ paths: [String], on page: RepositoryFile) -> [Violation] {
        let told = Set(page.text.matches(of: /`([^`\s]+)`/).map { String($0.1) })
        return paths.filter { path in
            !told.contains(path) && !told.contains { $0.hasSuffix("/") && path.hasPrefix($0) && $0.count > 9 }
        }.map { Violation($0, "\(page.path) does not name it") }
    }

    /// What the compiler says of files' syntax; nil where nothing is wrong with it.
    static func syntaxErrors(of files: [String], in root: URL) throws -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swiftc", "-frontend", "-parse"] + files
        process.currentDirectoryURL = root
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let words = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 && words.isEmpty ? nil : words
    }
}

@Suite("What is never run here")
struct ExampleTests {
    private let here = Repository.here

    @Test func `Every source that nothing here compiles stands on the page that says so`() throws {
        let files = ExampleRules.neverRun(here.paths)
        #expect(files.count > 10)
        #expect(ExampleRules.pending(files, on: try here.file(ExampleRules.page)) == [])
    }

    @Test func `Every Swift file of theirs is parsed`() throws {
        let files = ExampleRules.neverRun(here.paths).filter { $0.hasSuffix(".swift") }
        #expect(files.contains { $0.hasPrefix("Examples/ios-app/Widget/") })
        // Some at a time: one error is not to hide those of other files.
        for file in files { #expect(try ExampleRules.syntaxErrors(of: [file], in: here.root) == nil) }
    }

    @Test func `What the example uses of ActivityKit is there on the system that it is used on`() throws {
        let table = try here.file("Sources/ActivityKitStandIn/ActivityKitMember.swift")
        let names = try here.file("Sources/PhoneSimulator/IOSVersion.swift")
        let versions = AvailabilityRules.versions(table: table, names: names)
        // Its app and its extension are for iOS 16.2 and later as a whole; the recorder says so itself.
        let files = here.swift(under: "Examples/ios-app/Recorder")
        #expect(files.flatMap { AvailabilityRules.unguarded($0, versions) } == [])
        #expect(!files.isEmpty)
    }
}

@Suite("What is never run here: planted faults")
struct PlantedExampleTests {
    private let paths: Set = [
        "Examples/ios-app/App/A.swift", "Examples/ios-app/Shared/B.swift", "Examples/backend-python/c.py",
        "Bindings/react-native/ios/D.m", "Sources/E.swift", "Examples/ios-app/App",
    ]

    @Test func `What nothing compiles is found, and what is compiled or run is not`() {
        #expect(
            ExampleRules.neverRun(paths) == ["Bindings/react-native/ios/D.m", "Examples/ios-app/App/A.swift"])
    }

    @Test func `A file that the page does not name is found, unless its folder is named`() {
        let files = ExampleRules.neverRun(paths)
        func pending(_ text: String) -> [String] {
            ExampleRules.pending(files, on: RepositoryFile(ExampleRules.page, text)).map(\.path)
        }
        #expect(pending("`Examples/ios-app/App/A.swift`") == ["Bindings/react-native/ios/D.m"])
        #expect(pending("`Examples/ios-app/App/A.swift`, `Bindings/react-native/`") == [])
        #expect(pending("Examples/ios-app/App/A.swift, `Bindings/`").count == 2)
    }

    @Test func `An error of syntax is found`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("struct A {\n".utf8).write(to: folder.appending(path: "A.swift"))
        try Data("struct B {}\n".utf8).write(to: folder.appending(path: "B.swift"))
        #expect(try ExampleRules.syntaxErrors(of: ["A.swift"], in: folder)?.contains("error:") == true)
        #expect(try ExampleRules.syntaxErrors(of: ["B.swift"], in: folder) == nil)
    }
}
