import Foundation
import Testing

/// Settings of a project in Xcode that decide what compiles.
struct ProjectSettings: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let arguments: [String]

    private static let always = ["-enable-upcoming-feature", "MemberImportVisibility"]
    private static let isolated = always + ["-default-isolation", "MainActor"]

    /// The features of `SWIFT_APPROACHABLE_CONCURRENCY` that a language mode does not imply.
    private static func approachable(_ features: String...) -> [String] {
        features.flatMap { ["-enable-upcoming-feature", $0] }
    }

    static let all = [
        ProjectSettings(
            testDescription: "Xcode's template, language mode 5",
            arguments: ["-swift-version", "5"] + isolated
                + approachable(
                    "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability", "InferIsolatedConformances",
                    "InferSendableFromCaptures", "NonisolatedNonsendingByDefault")),
        ProjectSettings(
            testDescription: "Xcode's template, language mode 6",
            arguments: ["-swift-version", "6"] + isolated
                + approachable("InferIsolatedConformances", "NonisolatedNonsendingByDefault")),
        ProjectSettings(
            testDescription: "no default isolation, language mode 5", arguments: ["-swift-version", "5"] + always),
        ProjectSettings(
            testDescription: "no default isolation, language mode 6", arguments: ["-swift-version", "6"] + always),
    ]
}

/// Files that are one module of an app.
struct CodeSample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Paths below the repository; a folder stands for its Swift files.
    let paths: [String]

    private static func guide(_ names: String...) -> [String] {
        names.map { "Tests/SnippetTests/Code/Guides/\($0).swift" }
    }

    /// Capacitor's types know nothing of strict concurrency, so its apps are in language mode 5.
    static let capacitor = CodeSample(
        testDescription: "the native file for Capacitor", paths: guide("JavaScriptCapacitor") + ["Bindings/capacitor"])

    static let all = [
        CodeSample(testDescription: "the guide to the first card", paths: guide("FirstCard", "FirstCardDelegate")),
        CodeSample(testDescription: "the guide for JavaScript", paths: guide("JavaScript")),
        CodeSample(testDescription: "the page on vendors' apps", paths: guide("VendorApps")),
        CodeSample(testDescription: "the page on schemas", paths: guide("Schema", "SchemaType")),
        CodeSample(testDescription: "the SDK's own pages", paths: ["Tests/EyotKitTests/Snippets"]),
        CodeSample(
            testDescription: "the example app",
            paths: ["App", "Shared", "Recorder"].map { "Examples/ios-app/\($0)" }),
        CodeSample(
            testDescription: "the example's widget", paths: ["Widget", "Shared"].map { "Examples/ios-app/\($0)" }),
    ]
}

/// What is held to compile.
struct Compilation: Sendable, CustomTestStringConvertible {
    let sample: CodeSample
    let settings: ProjectSettings

    var testDescription: String { "\(sample.testDescription): \(settings.testDescription)" }

    static let all =
        CodeSample.all.flatMap { sample in ProjectSettings.all.map { Compilation(sample: sample, settings: $0) } }
        + ProjectSettings.all.filter { $0.arguments.contains("5") }.map {
            Compilation(sample: .capacitor, settings: $0)
        }
}

@Suite(
    "The code of guides and examples in the project that Xcode makes", .serialized,
    .enabled(if: Compiler.hasStubs, "a Mac has the frameworks themselves"))
struct CompilationTests {
    @Test("compiles", arguments: Compilation.all)
    func compiles(_ compilation: Compilation) async throws {
        let compiler = try await Compiler.ready()
        let files = try compilation.sample.paths.flatMap(compiler.files)
        #expect(try compiler.complaints(of: files, compilation.settings.arguments) == "")
    }

    @Test("fails where a module is used that was not imported, and where a type is tied to the main actor")
    func fails() async throws {
        let compiler = try await Compiler.ready()
        let folder = FileManager.default.temporaryDirectory.appending(path: "snippets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Planted.swift")
        func complaints(_ text: String) throws -> String {
            try Data(text.utf8).write(to: file)
            return try compiler.complaints(of: [file], ProjectSettings.all[1].arguments)
        }
        let digest = "import EyotKit\nlet key = UInt8(ascii: \"a\")\nlet rules = PhoneRules()\n"
        #expect(try complaints(digest).contains("PhoneRules"))
        let tied = """
            import EyotKit
            struct Tied: ActivityAttributes {
                struct ContentState: Codable, Hashable {}
            }
            func take<T: ActivityAttributes & SendableMetatype>(_ type: T.Type) {}
            func give() { take(Tied.self) }
            """
        #expect(try complaints(tied).contains("main actor-isolated conformance"))
        #expect(try complaints("import EyotKit\nlet name = Activity<Never>.self\n") != "")
    }
}
