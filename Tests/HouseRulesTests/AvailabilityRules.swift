import Testing

/// The rule that the SDK guards each use of ActivityKit by the version that has it.
///
/// On Linux every `#available` is true, so only Xcode would notice a missing guard. The stand-in's own table says which
/// version has which declaration. The rule checks the SDK's lines against that table.
enum AvailabilityRules {
    struct Version: Comparable, CustomStringConvertible {
        var major: Int
        var minor: Int

        static let none = Version(major: 0, minor: 0)

        static func < (a: Version, b: Version) -> Bool { (a.major, a.minor) < (b.major, b.minor) }

        var description: String { "iOS \(major).\(minor)" }

        /// `16, 2` and `16.2`; without a minor it is 0.
        init?(_ major: Substring, _ minor: Substring?) {
            guard let number = Int(major) else { return nil }
            self.init(major: number, minor: minor.flatMap { Int($0) } ?? 0)
        }

        init(major: Int, minor: Int) { (self.major, self.minor) = (major, minor) }
    }

    /// How the members of the table look where they are used.
    static var uses: [(member: String, form: Regex<Substring>)] {
        [
            ("content", /\bActivityContent\b/), ("content", /\bcontentUpdates\b/), ("content", /\bactivity\.content\b/),
            ("frequentPushes", /\bfrequentPush(?:esEnabled|EnablementUpdates)\b/),
            ("pushToStartToken", /\bpushToStartToken(?:Updates)?\b/),
            ("timestamp", /\bactivity\.(?:update|end)\(.*\btimestamp:/),
            ("channel", /\bPushType\.channel\b|pushType: \.channel\b/),
            ("style", /\brequest\(.*\bstyle:/), ("scheduling", /\brequest\(.*\bstart:|\bstate == \.pending\b/),
        ]
    }

    /// The version of each member, as the stand-in's table has it.
    ///
    /// - Parameters:
    ///   - table: the text of `ActivityKitMember`.
    ///   - names: the text of `IOSVersion`, which has names for some.
    static func versions(table: RepositoryFile, names: RepositoryFile) -> [String: Version] {
        var named: [Substring: Version] = [:]
        for line in names.code {
            guard let match = line.firstMatch(of: /static let (\w+) = IOSVersion\((\d+)(?:, (\d+))?\)/) else {
                continue
            }
            named[match.1] = Version(match.2, match.3)
        }
        var versions: [String: Version] = [:]
        for line in table.code {
            guard
                let match = line.firstMatch(of: /case (\.\w+(?:, \.\w+)*): (?:IOSVersion\((\d+)(?:, (\d+))?\)|\.(\w+))/)
            else { continue }
            let version = match.2.flatMap { Version($0, match.3) } ?? match.4.flatMap { named[$0] }
            for member in match.1.split(separator: ", ") { versions[String(member.dropFirst())] = version }
        }
        return versions
    }

    static func unguarded(_ file: RepositoryFile, _ versions: [String: Version]) -> [Violation] {
        var scopes = Scopes()
        return file.code.enumerated().flatMap { index, line -> [Violation] in
            let here = scopes.version(of: line)
            return uses.compactMap { member, form in
                guard let needed = versions[member], here < needed, line.firstMatch(of: form) != nil else { return nil }
                return Violation(file.path, line: index + 1, "\(member) needs \(needed), and the line is for \(here)")
            }
        }
    }

    /// Braces, and the version that is sure within them.
    struct Scopes {
        private var open = [Version.none]
        /// Of the declaration that follows.
        private var declared: Version?
        /// Of the rest of a scope, once the block of its guard is closed.
        private var guarded: [(depth: Int, version: Version)] = []

        /// The version that is sure on this line, which is read to its end.
        mutating func version(of line: String) -> Version {
            let mentioned = line.firstMatch(of: /available\(iOS (\d+)(?:\.(\d+))?/).flatMap { Version($0.1, $0.2) }
            if line.contains("@available"), let mentioned { declared = mentioned }
            let isCondition = line.contains("#available")
            if isCondition, let mentioned, line.contains("guard") { guarded.append((open.count, mentioned)) }
            for character in line {
                if character == "{" { open.append(max(open.last ?? .none, opening(isCondition ? mentioned : nil))) }
                if character == "}" { close() }
            }
            // What stands behind the condition on its own line is guarded, too.
            return max(open.max() ?? .none, isCondition ? mentioned ?? .none : .none)
        }

        private mutating func opening(_ condition: Version?) -> Version {
            defer { declared = nil }
            return max(declared ?? .none, condition ?? .none)
        }

        private mutating func close() {
            guard open.count > 1 else { return }
            open.removeLast()
            while let last = guarded.last, last.depth >= open.count {
                guarded.removeLast()
                if last.depth == open.count { open[open.count - 1] = max(open[open.count - 1], last.version) }
            }
        }
    }
}

@Suite("The SDK on older systems")
struct AvailabilityTests {
    private let here = Repository.here

    private func versions() throws -> [String: AvailabilityRules.Version] {
        func file(_ name: String) throws -> RepositoryFile {
            try #require(here.files.first { $0.path.hasSuffix("/\(name).swift") })
        }
        return AvailabilityRules.versions(table: try file("ActivityKitMember"), names: try file("IOSVersion"))
    }

    @Test func `The stand-in's table is understood`() throws {
        let versions = try versions()
        #expect(Set(versions.keys) == Set(AvailabilityRules.uses.map(\.member)))
        #expect(versions["pushToStartToken"]?.description == "iOS 17.2")
        #expect(versions["scheduling"]?.major == 26)
    }

    @Test func `What the SDK uses of ActivityKit is there on the system that it is used on`() throws {
        let versions = try versions()
        let vendors = ["Netmera", "Airship", "Braze", "Insider"].map { here.swift(under: "Sources/EyotKit\($0)") }
        #expect(vendors.allSatisfy { !$0.isEmpty })
        let files =
            here.swift(under: "Sources/EyotAttributes", "Sources/EyotKit", "Sources/EyotBridge") + vendors.joined()
        #expect(files.flatMap { AvailabilityRules.unguarded($0, versions) } == [])
        #expect(files.contains { file in file.code.contains { $0.contains("pushToStartToken") } })
    }

    @Test(
        arguments: [
            ("func f() {\n    _ = Activity<A>.pushToStartToken\n}", 2),
            ("@available(iOS 16.2, *)\nfunc f() {\n    _ = Activity<A>.pushToStartToken\n}", 3),
            ("func f() {\n    if #available(iOS 17.2, *) { g() }\n    _ = Activity<A>.pushToStartToken\n}", 3),
            (
                "func f() {\n    guard #available(iOS 17.2, *) else {\n        return\n    }\n}\nlet a = Activity<A>.pushToStartToken",
                6
            ),
            ("@available(iOS 17.2, *)\nfunc f() {}\nlet a = Activity<A>.pushToStartToken", 3),
        ]) func `A guard that is missing is found out`(text: String, line: Int) throws
    {
        let file = RepositoryFile("Sources/EyotKit/A.swift", text)
        #expect(AvailabilityRules.unguarded(file, try versions()).map(\.line) == [line])
    }

    @Test(
        arguments: [
            "@available(iOS 17.2, *)\nextension E {\n    func f() {\n        _ = Activity<A>.pushToStartToken\n    }\n}",
            "func f() {\n    guard x, #available(iOS 17.2, *) else {\n        return\n    }\n    _ = Activity<A>.pushToStartToken\n}",
            "func f() {\n    if #available(iOS 17.2, *) {\n        _ = Activity<A>.pushToStartToken\n    }\n}",
            "func f() {\n    if #available(iOS 18.0, *) { _ = Activity<A>.pushToStartToken }\n}",
        ]) func `A guard that is there is seen`(text: String) throws
    {
        let file = RepositoryFile("Sources/EyotKit/A.swift", text)
        #expect(AvailabilityRules.unguarded(file, try versions()) == [])
    }

    /// On a Mac and under Catalyst it can be imported, and each of its symbols is unavailable there.
    @Test func `Nothing asks whether ActivityKit can be imported`() {
        let asking = here.files.filter { file in
            file.path.hasSuffix(".swift")
                && file.code.contains { $0.contains("#if") && $0.contains("canImport(ActivityKit)") }
        }
        #expect(asking.map(\.path) == [])
        let standIn = here.swift(under: "Sources/ActivityKitStandIn").flatMap(\.code).filter { $0.contains("#if") }
        #expect(Set(standIn) == ["#if !os(iOS) || targetEnvironment(macCatalyst)", "#if !canImport(Darwin)"])
    }

    /// The import of ActivityKit, and what Foundation has elsewhere on Linux.
    @Test func `The SDK is compiled under conditions in few places`() {
        let conditions = here.swift(under: "Sources/EyotAttributes", "Sources/EyotKit", "Sources/EyotBridge").flatMap {
            file in
            file.code.filter { $0.contains("#if") }.map { "\(file.path): \($0.trimmingPrefix(while: { $0 == " " }))" }
        }
        #expect(
            conditions == [
                "Sources/EyotAttributes/ActivityKitImport.swift: #if os(iOS) && !targetEnvironment(macCatalyst)",
                "Sources/EyotKit/Housekeeping/SystemSignals.swift: #if canImport(Network)",
                "Sources/EyotKit/Housekeeping/SystemSignals.swift: #if canImport(Network)",
                "Sources/EyotKit/Upload/BackgroundUploads.swift: #if os(iOS) && !targetEnvironment(macCatalyst)",
                "Sources/EyotKit/Upload/URLSessionTransport.swift: #if canImport(FoundationNetworking)",
                "Sources/EyotKit/Upload/URLSessionTransport.swift: #if os(iOS) && !targetEnvironment(macCatalyst)",
                "Sources/EyotKit/Upload/URLSessionTransport.swift: #if os(iOS) && !targetEnvironment(macCatalyst)",
                "Sources/EyotKit/Upload/URLSessionTransport.swift: #if canImport(FoundationNetworking)",
            ])
    }
}
