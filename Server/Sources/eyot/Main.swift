import ArgumentParser
import Foundation

/// Runs the command that the arguments name, and ends with its exit code.
@main
enum Main {
    static func main() async {
        let code = await run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }

    /// How a command ends.
    enum Code: Int32 {
        case done = 0
        case failed = 1
        case misused = 2
    }

    /// Runs a command. Help goes to standard output, and errors go to standard error.
    static func run(_ arguments: [String]) async -> Code {
        do {
            var command = try EyotCommand.parseAsRoot(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return .done
        } catch {
            let (code, message) = ending(of: error)
            if !message.isEmpty { (code == .done ? Output.out : Output.err)(message) }
            return code
        }
    }

    /// Returns the exit code and the text for an error. A request for help is no error, and invalid arguments are
    /// misuse.
    static func ending(of error: any Error) -> (Code, String) {
        let message = EyotCommand.fullMessage(for: error)
        return switch EyotCommand.exitCode(for: error) {
        case .success: (.done, message)
        case .validationFailure: (.misused, message)
        default: (.failed, message)
        }
    }
}
