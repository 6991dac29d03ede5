import Foundation

/// The Swift compiler over the modules that this build has made, with stubs for Apple's frameworks and Capacitor.
struct Compiler: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Whether stubs stand in for Apple's frameworks.
    static var hasStubs: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    private let root: URL
    private let modules: URL
    private let stubs: URL

    /// The stubs are compiled once in a run of tests.
    static func ready() async throws -> Compiler { try await made.value }

    private static let made = Task { try Compiler() }

    private init() throws {
        root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        // Where the test's own module lies beside those that it depends on.
        modules = try Self.modules(of: root)
        stubs = modules.deletingLastPathComponent().appending(path: "snippet-stubs")
        try FileManager.default.createDirectory(at: stubs, withIntermediateDirectories: true)
        for name in ["UIKit", "Capacitor", "ActivityKit", "SwiftUI", "WidgetKit"] {
            let file = root.appending(path: "Tests/SnippetTests/Code/Stubs/\(name).swift")
            let module = stubs.appending(path: "\(name).swiftmodule")
            let words = try run(
                [file],
                ["-swift-version", "6", "-module-name", name, "-emit-module", "-o", module.path, "-parse-as-library"])
            guard words.isEmpty else { throw Failure(description: "the stub of \(name) does not compile: \(words)") }
        }
    }

    private static func modules(of root: URL) throws -> URL {
        let executable = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let places = [executable.deletingLastPathComponent(), root.appending(path: ".build/debug")]
        let found = places.map { $0.appending(path: "Modules") }.first {
            FileManager.default.fileExists(atPath: $0.appending(path: "EyotKit.swiftmodule").path)
        }
        guard let found else { throw Failure(description: "EyotKit's module lies in none of \(places)") }
        return found
    }

    /// The Swift files of a path below the repository.
    func files(of path: String) throws -> [URL] {
        let place = root.appending(path: path)
        guard place.pathExtension.isEmpty else { return [place] }
        return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
    }

    /// What the compiler says of files that are one module: errors and warnings, or nothing. Region isolation is
    /// checked beyond types, so this goes on to optimized code's first stage.
    func complaints(of files: [URL], _ arguments: [String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "snippets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // There is no Objective-C on Linux; the rest of such a file is checked all the same.
        let copies = try files.map { file in
            let text = try String(contentsOf: file, encoding: .utf8).replacing(/@objc(?:\([^)]*\))?\s*/, with: "")
            let copy = folder.appending(path: file.lastPathComponent)
            try Data(text.utf8).write(to: copy)
            return copy
        }
        return try run(
            copies,
            arguments + [
                "-module-name", "App", "-parse-as-library", "-wmo", "-emit-sil", "-o",
                folder.appending(path: "App.sil").path,
            ])
    }

    private func run(_ files: [URL], _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-I", modules.path, "-I", stubs.path, "-package-name", "app"] + arguments + files.map(\.path)
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let words = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? words : words + "exit status \(process.terminationStatus)"
    }
}
