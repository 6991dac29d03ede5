import ArgumentParser
import Foundation

/// Runs the measurement that the arguments name. Exit codes are those of `eyot`: 0 done, 1 failed, 2 misused.
@main
enum Main {
    static func main() async {
        do {
            var command = try BenchCommand.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            let code = BenchCommand.exitCode(for: error)
            let message = BenchCommand.fullMessage(for: error)
            if !message.isEmpty { (code == .success ? Output.out : Output.err)(message) }
            exit(code == .success ? 0 : code == .validationFailure ? 2 : 1)
        }
    }
}

/// The output of measurements.
enum Output {
    /// Writes a line of figures to standard output.
    static func out(_ line: String) { print(line) }
    /// Writes a line about progress or errors to standard error.
    static func err(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
