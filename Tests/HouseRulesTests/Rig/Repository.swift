import Foundation

/// The text files of this repository, as the rules read them. Build products and hidden folders are left out.
struct Repository: Sendable {
    /// The repository that this file stands in.
    static let here = Repository(at: URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL)

    let root: URL
    let files: [RepositoryFile]
    /// Every file and folder that is no build product, relative to the root.
    let paths: Set<String>

    init(at root: URL) {
        var files: [RepositoryFile] = []
        var paths: Set<String> = []
        let walk = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        while let url = walk?.nextObject() as? URL {
            let path = String(url.standardizedFileURL.path.dropFirst(root.path.count)).trimmingPrefix("/")
            if url.lastPathComponent.hasPrefix("."), url.lastPathComponent != ".ci" {
                walk?.skipDescendants()
                if url.lastPathComponent == ".git" { continue }
            }
            paths.insert(String(path))
            guard RepositoryFile.isRead(path), let text = try? String(contentsOf: url, encoding: .utf8) else {
                continue
            }
            files.append(RepositoryFile(String(path), text))
        }
        self.root = root
        self.files = files.sorted { $0.path < $1.path }
        self.paths = paths
    }

    /// The Swift files below one of these folders.
    func swift(under folders: String...) -> [RepositoryFile] {
        files.filter { file in file.isSwift && folders.contains { file.path.hasPrefix($0 + "/") } }
    }

    /// Every Swift file of the products.
    var sources: [RepositoryFile] { swift(under: "Sources", "Server/Sources") }
    /// Every Swift file of the tests, and of what only tests use.
    var tests: [RepositoryFile] { swift(under: "Tests", "Server/Tests", "Server/Sources/EyotTestKit") }
    /// Every page of the documentation.
    var documents: [RepositoryFile] { files.filter { $0.path.hasSuffix(".md") } }
    /// The scripts, and what the continuous integration runs.
    var scripts: [RepositoryFile] {
        files.filter {
            ($0.path.hasPrefix("scripts/") && !$0.path.hasSuffix(".txt")) || $0.path.hasPrefix(".ci/")
        }
    }

    /// - Throws: ``MissingFile``.
    func file(_ path: String) throws(MissingFile) -> RepositoryFile {
        guard let file = files.first(where: { $0.path == path }) else { throw MissingFile(description: "no \(path)") }
        return file
    }
}

/// A file that a rule reads is not there.
struct MissingFile: Error, CustomStringConvertible {
    let description: String
}

/// One text file.
struct RepositoryFile: Sendable, CustomStringConvertible, CustomReflectable {
    /// Relative to the repository's root.
    let path: String
    let text: String
    let lines: [String]
    /// Of a Swift file: the lines without comments and without what stands in string literals.
    let code: [String]

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = path.hasSuffix(".swift") ? SwiftText.code(of: text) : []
    }

    /// A failed expectation shows this, and not the whole text.
    var description: String { path }
    var customMirror: Mirror { Mirror(self, children: ["path": path]) }

    var isSwift: Bool { path.hasSuffix(".swift") }

    /// How many lines there are; the newline at the end begins no further one.
    var length: Int { lines.last == "" ? lines.count - 1 : lines.count }

    fileprivate static func isRead(_ path: some StringProtocol) -> Bool {
        [".swift", ".md", ".d.ts"].contains { path.hasSuffix($0) }
            || ["scripts/", ".ci/", "deploy/prometheus/"].contains { path.hasPrefix($0) }
    }
}

/// One place where a rule is broken.
struct Violation: Hashable, CustomStringConvertible {
    var path: String
    /// Counts from 1; nil where the whole file or folder is meant.
    var line: Int?
    var words: String

    init(_ path: String, line: Int? = nil, _ words: String) {
        self.path = path
        self.line = line
        self.words = words
    }

    var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(words)" }
}
