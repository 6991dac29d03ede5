import Testing

/// The products build on Linux and on a Mac. Nothing here runs on a Mac, so a rule finds what only Linux has.
enum PlatformRules {
    /// What only Linux has, or has under another type. A word with a `_` at its end is the beginning of names.
    private static let linuxAlone: Set<Substring> = [
        "prctl", "eventfd", "accept4", "pipe2", "getrandom", "gettid", "sendmmsg", "recvmmsg", "memfd_create",
        "malloc_trim", "posix_fallocate", "sched_setaffinity", "sysinfo", "MSG_NOSIGNAL", "SOCK_CLOEXEC",
        "SOCK_NONBLOCK",
        "environ", "epoll_", "timerfd_", "inotify_",
    ]
    /// Constants that are a type of their own in Glibc, and initialisers that Darwin does not have.
    private static let phrases = [
        "SOCK_STREAM.rawValue", "SOCK_DGRAM.rawValue", "RLIMIT_NOFILE.rawValue", "RUSAGE_SELF.rawValue",
        "posix_spawn_file_actions_t()",
    ]

    /// The first such word of a line of code; nil for none.
    private static func linuxWord(_ line: Substring) -> Substring? {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let found = words.first { word in
            linuxAlone.contains(word) || word.contains("_") && linuxAlone.contains(word.prefix { $0 != "_" } + "_")
        }
        return found ?? phrases.first { line.contains($0) }.map { Substring($0) }
    }

    /// Files that name a folder of the Linux kernel, with what happens on a Mac.
    static let kernelFolders = [
        "Server/Sources/EyotBench/ProcessUsage.swift": "Its figures are 0 there, as docs/guides/on-a-mac.md says.",
        "Server/Sources/EyotLab/LabConfiguration.swift": "It is the last resort. A Mac knows the executable's URL.",
    ]

    static func faults(of file: RepositoryFile) -> [Violation] {
        lonelyCode(file) + kernelPaths(file) + lonelyImports(file)
    }

    /// Linux's words outside of a condition on the platform, and conditions without a branch for others.
    private static func lonelyCode(_ file: RepositoryFile) -> [Violation] {
        var conditions: [(isLinux: Bool, hasOther: Bool, line: Int)] = []
        var violations: [Violation] = []
        for (index, line) in file.code.enumerated() {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("#if ") {
                let isLinux = line.contains("Glibc") || line.contains("os(Linux)") || line.contains("Darwin")
                conditions.append((isLinux, line.contains("Darwin"), index + 1))
            } else if line.hasPrefix("#else") {
                if !conditions.isEmpty { conditions[conditions.count - 1].hasOther = true }
            } else if line.hasPrefix("#endif") {
                if let last = conditions.popLast(), last.isLinux, !last.hasOther {
                    violations.append(Violation(file.path, line: last.line, "has no branch for a Mac"))
                }
            } else if !conditions.contains(where: \.isLinux), let found = linuxWord(line) {
                violations.append(Violation(file.path, line: index + 1, "only Linux has \(found)"))
            }
        }
        return violations
    }

    private static func kernelPaths(_ file: RepositoryFile) -> [Violation] {
        guard kernelFolders[file.path] == nil else { return [] }
        return file.lines.enumerated().filter { $1.contains("\"/proc/") || $1.contains("\"/sys/") }
            .map { Violation(file.path, line: $0.offset + 1, "names a folder of the Linux kernel") }
    }

    private static func lonelyImports(_ file: RepositoryFile) -> [Violation] {
        let imports = ImportRules.imports(of: file)
        let modules = Set(imports.map(\.module))
        return imports.filter { $0.module == "Glibc" && !modules.contains("Darwin") }
            .map { Violation(file.path, line: $0.line, "imports Glibc and not Darwin") }
            + imports.filter {
                $0.module == "FoundationNetworking"
                    && !file.text.contains("#if canImport(FoundationNetworking)")
            }
            .map { Violation(file.path, line: $0.line, "imports FoundationNetworking without a condition") }
    }
}

@Suite("Linux and Mac")
struct PlatformTests {
    private let here = Repository.here

    @Test func `No product needs what only Linux has`() {
        #expect(here.sources.flatMap(PlatformRules.faults) == [])
    }

    @Test func `Each exception is needed`() throws {
        for path in PlatformRules.kernelFolders.keys {
            #expect(try here.file(path).text.contains("/proc/"), "\(path)")
        }
    }
}

@Suite("Linux and Mac: planted faults")
struct PlantedPlatformTests {
    private func faults(_ text: String) -> [Int?] {
        PlatformRules.faults(of: RepositoryFile("Sources/A/A.swift", text)).map(\.line)
    }

    @Test(
        "What only Linux has is found",
        arguments: [
            "let a = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)", "import Glibc", "let a = environ",
            "send(a, b, c, MSG_NOSIGNAL)", "let a = \"/proc/self\"", "import FoundationNetworking",
            "#if canImport(Glibc)\nlet a = 1\n#endif", "#if os(Linux)\nlet a = 1\n#endif",
            "#if DEBUG\nlet a = prctl(1)\n#endif",
        ])
    func found(_ text: String) { #expect(faults(text).count == 1) }

    @Test(
        "What has a twin is not, nor a word in a comment",
        arguments: [
            "#if canImport(Glibc)\nlet a = Int32(SOCK_STREAM.rawValue)\n#else\nlet a = SOCK_STREAM\n#endif",
            "#if canImport(Glibc)\nimport Glibc\n#else\nimport Darwin\n#endif", "// epoll_wait is Linux's",
            "let environment = process.environment",
            "#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif",
            "#if !canImport(Darwin)\nlet a = 1\n#endif",
        ])
    func living(_ text: String) { #expect(faults(text).isEmpty) }
}
