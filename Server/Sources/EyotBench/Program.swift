import Foundation

/// An external program in a measurement. Waiting for it by the process table also gives its CPU time.
struct Program {
    private let pid: pid_t
    private let name: String

    /// Returns the path of a program; nil if it is not installed.
    static func path(of name: String) -> String? {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Starts a program and discards its output.
    static func start(_ name: String, _ arguments: [String]) throws(BenchError) -> Program {
        guard let path = path(of: name) else { throw .programsMissing([name]) }
        var actions = fileActions()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        let result = posix_spawn(&pid, path, &actions, nil, &words, variables)
        guard result == 0 else { throw .programFailed(name, status: result) }
        return Program(pid: pid, name: name)
    }

    // Darwin's file actions are a pointer that the system fills in, and its variables have a function.
    #if canImport(Glibc)
        private static func fileActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
        private static var variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { environ }
    #else
        private static func fileActions() -> posix_spawn_file_actions_t? { nil }
        private static var variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { _NSGetEnviron().pointee }
    #endif

    /// Runs a program to its end.
    ///
    /// - Returns: its CPU time in seconds.
    @discardableResult
    static func run(_ name: String, _ arguments: [String]) throws(BenchError) -> Double {
        let program = try start(name, arguments)
        let (status, cpu) = program.wait()
        guard status == 0 else { throw .programFailed(name, status: status) }
        return cpu
    }

    /// Kills the program.
    func kill() {
        Foundation.kill(pid, SIGKILL)
        _ = wait()
    }

    private func wait() -> (status: Int32, cpu: Double) {
        var status: Int32 = 0
        var usage = rusage()
        while wait4(pid, &status, 0, &usage) == -1, errno == EINTR {}
        return (status, usage.seconds)
    }
}

extension rusage {
    /// The CPU time in seconds, in user and kernel mode together.
    var seconds: Double {
        [ru_utime, ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }
}
