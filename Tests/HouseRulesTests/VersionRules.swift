import Foundation
import Testing

/// The version of a release stands in few files, and is the same in each.
enum VersionRules {
    /// The files, and what stands before and behind the version.
    static let places = [
        ("Server/Sources/EyotServer/BuildInfo.swift", #"static let version = ""#),
        ("Sources/EyotKit/EyotConfiguration.swift", #"static let sdkVersion = ""#),
        ("Bindings/javascript/package.json", #""version": ""#),
    ]

    /// The version behind a text; nil if the file does not have the text.
    static func version(behind words: String, in text: String) -> String? {
        text.components(separatedBy: words).dropFirst().first.map { String($0.prefix { $0.isNumber || $0 == "." }) }
    }

    /// The newest dated version of a changelog.
    static func newest(of changelog: String) -> String? {
        changelog.split(separator: "\n").compactMap {
            $0.wholeMatch(of: /## (\d+\.\d+\.\d+) - .*/).map { String($0.1) }
        }
        .first
    }
}

@Suite("Versions")
struct VersionTests {
    @Test(arguments: VersionRules.places)
    func `The version is that of the changelog`(path: String, words: String) throws {
        let root = Repository.here.root
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        let changelog = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let newest = try #require(VersionRules.newest(of: changelog))
        #expect(VersionRules.version(behind: words, in: text) == newest)
    }

    @Test func `A version is read from code, from a package and from a changelog`() {
        #expect(VersionRules.version(behind: #"let a = ""#, in: "x\nlet a = \"1.2.3\"\n") == "1.2.3")
        #expect(VersionRules.version(behind: "none", in: "1.2.3") == nil)
        #expect(VersionRules.newest(of: "## Unreleased\n\n## 0.3.0 - 2026-12-01\n\n## 0.2.0 - 2026-11-27\n") == "0.3.0")
    }
}
