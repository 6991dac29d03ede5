import Testing

/// Where things stand and what they are called.
enum PlaceRules {
    /// Names that say nothing about what is inside.
    static let emptyWords: Set<String> = [
        "Util", "Utils", "Utility", "Utilities", "Helper", "Helpers", "Common", "Misc", "Manager", "Managers",
    ]

    /// Finds files and folders with such a word in the name, which is split at its capitals.
    static func emptyNames(_ paths: some Sequence<String>) -> [Violation] {
        paths.sorted().compactMap { path in
            let name = path.split(separator: "/").last ?? ""
            let words = name.matches(of: /[A-Z]?[a-z]+/).map { $0.0.prefix(1).uppercased() + $0.0.dropFirst() }
            return words.first(where: emptyWords.contains).map {
                Violation(path, "\($0) says nothing of what is inside")
            }
        }
    }

    /// Folders of targets that no manifest names, and targets without a file.
    static func orphans(_ paths: Set<String>, _ manifests: [Manifest]) -> [Violation] {
        var violations: [Violation] = []
        for manifest in manifests {
            let package = manifest.path.replacing("Package.swift", with: "")
            for (folder, isTest) in [("Sources", false), ("Tests", true)] {
                let base = "\(package)\(folder)/"
                let named = Set(manifest.targets.filter { $0.isTest == isTest }.map(\.name))
                let swift = paths.filter { $0.hasPrefix(base) && ($0.hasSuffix(".swift") || $0.hasSuffix(".c")) }
                    .map { $0.dropFirst(base.count) }
                let there = Set(
                    swift.compactMap { $0.contains("/") ? $0.split(separator: "/").first : nil }.map(String.init))
                violations += swift.filter { !$0.contains("/") }
                    .map { Violation(base + $0, "stands in no target's folder") }
                violations += there.subtracting(named).map { Violation(base + $0, "is no target of \(manifest.path)") }
                violations += named.subtracting(there).map { Violation(manifest.path, "\($0) has no file in \(base)") }
            }
        }
        return violations.sorted { ($0.path, $0.words) < ($1.path, $1.words) }
    }
}

@Suite("Where things stand and what they are called")
struct PlaceTests {
    private let here = Repository.here

    @Test func `No file and no folder has a name that says nothing`() {
        #expect(PlaceRules.emptyNames(here.paths) == [])
    }

    @Test func `Every file belongs to a target, and every target has files`() {
        #expect(PlaceRules.orphans(here.paths, here.manifests) == [])
    }
}

@Suite("Where things stand and what they are called: planted faults")
struct PlantedPlaceTests {
    @Test(
        "A name that says nothing is found",
        arguments: ["Sources/A/StringUtils.swift", "Sources/A/Helpers", "Tests/Common", "Sources/A/CardManager.swift"])
    func found(_ path: String) {
        #expect(PlaceRules.emptyNames([path]).map(\.path) == [path])
    }

    @Test func `A name that only begins like one is not`() {
        #expect(PlaceRules.emptyNames(["Sources/A/Commons.swift", "Sources/Utilisation.swift"]) == [])
    }

    @Test func `A folder without a target, a file without a folder and a target without files are found`() {
        let manifest = Manifest(
            path: "Server/Package.swift", text: #".target(name: "A"), .target(name: "B"), .testTarget(name: "ATests")"#)
        let paths: Set = [
            "Server/Sources/A/A.swift", "Server/Sources/C/C.swift", "Server/Sources/D.swift",
            "Server/Tests/ATests/A.swift", "Server/Tests/OldTests/Old.swift",
        ]
        #expect(
            PlaceRules.orphans(paths, [manifest]).map(\.description) == [
                "Server/Package.swift: B has no file in Server/Sources/",
                "Server/Sources/C: is no target of Server/Package.swift",
                "Server/Sources/D.swift: stands in no target's folder",
                "Server/Tests/OldTests: is no target of Server/Package.swift",
            ])
    }
}
