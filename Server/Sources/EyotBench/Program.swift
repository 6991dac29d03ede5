import Foundation

/// A program of somebody else's that takes part in a measurement. Waited for by the process table, which tells its CPU time.
struct Program {
    private let pid: pid_t
    private let name: String

    /// Where a program lies, nil where it is not installed.
    static func path(of name: String) -> String? {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Starts it, with what it prints thrown away.
    static func start(_ name: String, _ arguments: [String]) throws(BenchError) -> Program {
        guard let path = path(of: name) else { throw .programsMissing([name]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        let result = posix_spawn(&pid, path, &actions, nil, &words, environ)
        guard result == 0 else { throw .programFailed(name, status: result) }
        return Program(pid: pid, name: name)
    }

    /// Runs it to its end.
    ///
    /// - Returns: the seconds of CPU that it took.
    @discardableResult
    static func run(_ name: String, _ arguments: [String]) throws(BenchError) -> Double {
        let program = try start(name, arguments)
        let (status, cpu) = program.wait()
        guard status == 0 else { throw .programFailed(name, status: status) }
        return cpu
    }

    /// Ends it at once.
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
    /// Seconds of CPU, in user and kernel mode together.
    var seconds: Double {
        [ru_utime, ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }
}
