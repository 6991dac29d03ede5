/// The parts of a `Package.swift` that the rules ask for. Read as text: the manifests here are lists, not programs.
struct Manifest: Sendable {
    struct Target: Sendable, Hashable {
        var name: String
        var isTest: Bool
        /// Targets and products by name.
        var dependencies: Set<String>

        /// Whether a dependency has this module. A module has `_` where the name of its target has `-`.
        func lists(_ module: String) -> Bool {
            dependencies.contains { $0.replacing("-", with: "_") == module }
        }
    }

    let path: String
    let targets: [Target]
    /// Whether it names any other package.
    let hasPackages: Bool
    /// Packages from elsewhere that are named without an exact version, by URL.
    let loosePackages: [String]

    init(path: String, text: String) {
        self.path = path
        let text = text.replacing(/(?m)^\s*\/\/.*$/, with: "")
        hasPackages = text.contains(".package(")
        loosePackages = text.matches(of: /\.package\(\s*url: "([^"]+)",(?!\s*exact: ")/).map { String($0.1) }
        let names = Self.shorthands(in: text)
        var targets: [Target] = []
        var rest = text[...]
        while let opening = rest.firstMatch(of: /\.(target|executableTarget|testTarget)\(/) {
            let body = Self.balanced(rest[opening.range.upperBound...])
            rest = rest[body.endIndex...]
            guard let name = body.firstMatch(of: /name: "([\w-]+)"/)?.1 else { continue }
            let list = body.split(separator: "dependencies:", maxSplits: 1).dropFirst().first ?? ""
            targets.append(
                Target(
                    name: String(name), isTest: opening.1 == "testTarget",
                    dependencies: Self.names(in: list, shorthands: names)))
        }
        self.targets = targets
    }

    /// What stands before the parenthesis that closes the one before the text.
    private static func balanced(_ text: Substring) -> Substring {
        var depth = 1
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[..<index] }
        }
        return text
    }

    /// `let wire = Target.Dependency.product(…)`, and lists of such.
    private static func shorthands(in text: String) -> [String: Set<String>] {
        var shorthands: [String: Set<String>] = [:]
        for match in text.matches(of: /let (\w+) = Target\.Dependency\.product\(name: "(\w+)"/) {
            shorthands[String(match.1)] = [String(match.2)]
        }
        for match in text.matches(of: /let (\w+): \[Target\.Dependency\] = \[([^\]]*)\]/) {
            shorthands[String(match.1)] = names(in: match.2, shorthands: [:])
        }
        return shorthands
    }

    private static func names(in list: Substring, shorthands: [String: Set<String>]) -> Set<String> {
        let list = list.replacing(/package: "[^"]*"/, with: "")
        var names = Set(list.matches(of: /"(\w[\w-]*)"/).map { String($0.1) })
        for word in list.replacing(/"[^"]*"/, with: "").matches(of: /\w+/) {
            names.formUnion(shorthands[String(word.0)] ?? [])
        }
        return names
    }
}

extension Repository {
    /// The manifests of both packages, the lower one first.
    var manifests: [Manifest] {
        files.filter { ["Package.swift", "Server/Package.swift"].contains($0.path) }
            .map { Manifest(path: $0.path, text: $0.text) }
            .sorted { $0.path < $1.path }
    }
}
