import Foundation
import Subprocess

/// A program of this machine, which a test runs as a process.
///
/// Nothing blocks a thread while it runs, and no signal is blocked in it.
package struct Program: Sendable {
    /// How a program ended, and what it said.
    package struct Ended: Sendable {
        /// Its exit code, or 128 and the number of the signal that ended it.
        package var code: Int32
        package var output: String
        package var errors: String

        /// All that it said, its errors last.
        package var words: String { output + errors }
    }

    /// A program while it runs. It is valid until its closure ends.
    package struct Running: Sendable {
        package let output: SubprocessOutputSequence.StringSequence<UTF8>
        package let errors: SubprocessOutputSequence.StringSequence<UTF8>
        /// Ends it as Ctrl-C does.
        package let interrupt: @Sendable () -> Void
        /// Ends it at once, as a crash does.
        package let kill: @Sendable () -> Void
    }

    /// The most bytes that are kept of what it says.
    private static let outputLimit = 4 << 20

    private let configuration: Configuration

    /// - Parameters:
    ///   - program: Its path, or its name if `PATH` has it.
    ///   - environment: What it gets beside the environment of the tests.
    package init(
        _ program: String, _ arguments: [String] = [], in folder: URL? = nil, environment: [String: String] = [:]
    ) {
        let added = environment.map { (Environment.Key(stringLiteral: $0.key), Optional($0.value)) }
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(10))]
        configuration = Configuration(
            executable: program.contains("/") ? .path(.init(program)) : .name(program), arguments: Arguments(arguments),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: added)),
            workingDirectory: folder.map { .init($0.path) }, platformOptions: options)
    }

    /// Runs it to its end.
    ///
    /// - Parameter input: What it reads.
    package func run(input: String = "") async throws -> Ended {
        let ended = try await Subprocess.run(
            configuration, input: .string(input), output: .string(limit: Self.outputLimit),
            error: .string(limit: Self.outputLimit))
        return Ended(
            code: ended.terminationStatus.code, output: ended.standardOutput, errors: ended.standardError)
    }

    /// Runs it while `body` reads what it says, and ends it with SIGTERM if it has not ended by then.
    ///
    /// - Returns: Its exit code, as in ``Ended``.
    package func run(while body: (Running) async throws -> Void) async throws -> Int32 {
        let ended = try await Subprocess.run(configuration, input: .none, output: .sequence, error: .sequence) {
            process in
            let running = Running(
                output: process.standardOutput.strings(), errors: process.standardError.strings(),
                interrupt: { try? process.send(signal: .interrupt) }, kill: { try? process.send(signal: .kill) })
            try await body(running)
            try? process.send(signal: .terminate)
        }
        return ended.terminationStatus.code
    }
}

extension TerminationStatus {
    fileprivate var code: Int32 {
        switch self {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }
}
