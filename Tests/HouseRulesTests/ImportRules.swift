import Testing

/// The rules for which target may import which.
enum ImportRules {
    /// DESIGN's order: a target depends only on what stands before it.
    static let order = [
        "EyotContract", "APNSWire", "PhoneSimulator", "ActivityKitStandIn", "EyotAttributes", "EyotKit",
        "EyotBridge", "EyotBridgeProcess", "EyotKitTesting", "EyotKitNetmera", "EyotKitAirship", "EyotKitBraze",
        "EyotKitInsider",
        "EyotDomain", "EyotMetrics", "EyotTracing", "EyotEngine", "EyotCommands", "EyotIdentity", "EyotStore",
        "CSQLiteSettings", "EyotSQLite",
        "CPq", "EyotPostgres",
        "HTTP2Frames", "APNSSender", "APNSSimulator", "HTTPConnections", "OutboundHTTP", "WebhookSender",
        "EyotHTTP", "EyotVendors", "EyotPanel", "CBuildInfo",
        "EyotServer", "EyotLab", "EyotSimulation", "EyotBench", "CFaultyVFS", "EyotTestKit", "eyot", "eyot-bench",
    ]

    /// What comes with the toolchain or the platform.
    static let system: Set<String> = [
        "ActivityKit", "Darwin", "Dispatch", "Foundation", "FoundationNetworking", "Glibc", "Musl", "Network",
        "Synchronization",
        "Testing",
    ]

    /// The modules that a file imports, with their lines.
    static func imports(of file: RepositoryFile) -> [(module: String, line: Int)] {
        file.code.enumerated().compactMap { index, line in
            guard line.contains("import ") else { return nil }
            let form =
                /^\s*(?:@\w+(?:\(\w+\))?\s+)*(?:public |package |internal |private |fileprivate )?import (?:struct |class |enum |protocol |func |var |let |typealias )?(\w+)/
            return line.firstMatch(of: form).map { (String($0.1), index + 1) }
        }
    }

    /// Code that a test hands to the compiler, with stubs of Apple's frameworks. No target compiles it.
    static let samples = "Tests/SnippetTests/Code/"

    /// The target that a file belongs to: the folder below `Sources` or `Tests`.
    static func target(of path: String) -> String? {
        guard !path.hasPrefix(samples) else { return nil }
        return path.firstMatch(of: /^(?:Server\/)?(?:Sources|Tests)\/([^\/]+)\//).map { String($0.1) }
    }

    static func unlistedImports(_ files: [RepositoryFile], _ manifests: [Manifest]) -> [Violation] {
        let targets = Dictionary(
            manifests.flatMap(\.targets).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var said: Set<[String]> = []
        return files.flatMap { file -> [Violation] in
            guard let name = target(of: file.path), let target = targets[name] else { return [] }
            return imports(of: file)
                .filter { !system.contains($0.module) && !target.lists($0.module) }
                // Once is enough: it is one line in the manifest.
                .filter { said.insert([name, $0.module]).inserted }
                .map { Violation(file.path, line: $0.line, "\(name) does not list \($0.module) in its manifest") }
        }
    }

    static func disorder(_ manifests: [Manifest]) -> [Violation] {
        let ranks = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        return manifests.flatMap { manifest in
            manifest.targets.filter { !$0.isTest }.flatMap { target -> [Violation] in
                guard let rank = ranks[target.name] else {
                    return [Violation(manifest.path, "\(target.name) has no place in the order of targets")]
                }
                return target.dependencies.sorted().filter { (ranks[$0] ?? -1) >= rank }
                    .map { Violation(manifest.path, "\(target.name) depends on \($0), which stands after it") }
            }
        }
    }

    /// Finds the targets that list a dependency which they may not have.
    static func forbidden(_ dependency: String, to isForbidden: (Manifest.Target) -> Bool, _ manifests: [Manifest])
        -> [Violation]
    {
        manifests.flatMap { manifest in
            manifest.targets.filter { isForbidden($0) && $0.dependencies.contains(dependency) }
                .map { Violation(manifest.path, "\($0.name) may not depend on \(dependency)") }
        }
    }
}

@Suite("Who may import whom")
struct ImportTests {
    private let here = Repository.here

    @Test func `The package that goes inside apps depends on no other`() throws {
        let root = try #require(here.manifests.first)
        #expect(root.path == "Package.swift" && !root.targets.isEmpty)
        #expect(!root.hasPackages)
    }

    @Test func `The server names an exact version of each package`() throws {
        let server = try #require(here.manifests.last)
        #expect(server.path == "Server/Package.swift" && server.hasPackages)
        #expect(server.loosePackages == [])
    }

    @Test func `A target imports only what its manifest lists`() {
        #expect(ImportRules.unlistedImports(here.files.filter(\.isSwift), here.manifests) == [])
    }

    @Test func `A target depends only on what stands before it in the design`() {
        #expect(ImportRules.disorder(here.manifests) == [])
    }

    @Test func `Apple's side never learns from the sender`() {
        #expect(ImportRules.forbidden("APNSSender", to: { $0.name == "APNSSimulator" }, here.manifests) == [])
    }

    @Test func `No product contains what is there for tests`() {
        #expect(ImportRules.forbidden("EyotTestKit", to: { !$0.isTest }, here.manifests) == [])
    }
}

@Suite("Who may import whom: planted faults")
struct PlantedImportTests {
    private let manifest = Manifest(
        path: "Package.swift",
        text: """
            // .package(path: "nowhere") in a comment is none
            let wire = Target.Dependency.product(name: "APNSWire", package: "eyot")
            let both: [Target.Dependency] = [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ]
            let package = Package(targets: [
                .target(name: "EyotDomain", dependencies: ["EyotEngine", wire]),
                .target(
                    name: "APNSSimulator",
                    dependencies: [
                        .target(name: "APNSSender", condition: .when(platforms: [.linux])), "EyotTestKit"
                    ] + both),
                .target(name: "Stray"),
                .testTarget(name: "EyotDomainTests", dependencies: ["EyotDomain", "eyot-bench"]),
            ])
            """)

    @Test func `A manifest is read as it stands`() {
        #expect(!manifest.hasPackages)
        #expect(manifest.targets.map(\.name) == ["EyotDomain", "APNSSimulator", "Stray", "EyotDomainTests"])
        #expect(manifest.targets[0].dependencies == ["EyotEngine", "APNSWire"])
        #expect(manifest.targets[1].dependencies == ["APNSSender", "EyotTestKit", "NIOCore", "NIOTLS"])
        #expect(manifest.targets[3].isTest)
        #expect(manifest.targets[3].lists("eyot_bench") && !manifest.targets[3].lists("eyot"))
        #expect(Manifest(path: "", text: #".package(url: "x")"#).hasPackages)
    }

    @Test func `A package without an exact version is found`() {
        let text = """
            .package(name: "eyot", path: ".."), .package(url: "a", exact: "1.0.0", traits: []),
            .package(url: "b", from: "1.0.0"), .package(url: "c", branch: "main"),
            .package(
                url: "d", "1.0.0"..<"2.0.0"),
            """
        #expect(Manifest(path: "", text: text).loosePackages == ["b", "c", "d"])
    }

    @Test func `A dependency on a later target and a target without a place are found`() {
        #expect(
            ImportRules.disorder([manifest]).map(\.words) == [
                "EyotDomain depends on EyotEngine, which stands after it",
                "APNSSimulator depends on EyotTestKit, which stands after it",
                "Stray has no place in the order of targets",
            ])
    }

    @Test func `A dependency that is forbidden is found`() {
        #expect(ImportRules.forbidden("APNSSender", to: { $0.name == "APNSSimulator" }, [manifest]).count == 1)
        #expect(ImportRules.forbidden("EyotTestKit", to: { !$0.isTest }, [manifest]).count == 1)
    }

    @Test(
        "An import that no manifest lists is found, however it is written",
        arguments: [
            "import EyotHTTP", "@testable import EyotHTTP", "@_spi(X) import EyotHTTP", "private import EyotHTTP",
            "import struct EyotHTTP.Router", "    import EyotHTTP",
        ])
    func found(_ line: String) {
        let file = RepositoryFile("Sources/EyotDomain/A.swift", "import Foundation\n\(line)\n")
        #expect(ImportRules.unlistedImports([file], [manifest]).map(\.line) == [2])
    }

    @Test func `A word in a comment or a text is no import`() {
        let file = RepositoryFile("Sources/EyotDomain/A.swift", "// import EyotHTTP\nlet a = \"import EyotHTTP\"\n")
        #expect(ImportRules.imports(of: file).isEmpty)
    }
}
