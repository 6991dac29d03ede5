import ArgumentParser
import EyotContract
import EyotDomain
import EyotServer
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

    /// How a message about an error begins.
    private static let errorPrefix = "Error:"

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
            var (code, message) = ending(of: error)
            if code == .misused, let suggestion = CommandSuggestion.text(for: arguments) {
                message += "\n" + suggestion
            }
            guard !message.isEmpty else { return code }
            if code != .done, arguments.contains("--json") {
                message = failure(error, message).text
            } else if code != .done, message.hasPrefix(errorPrefix) {
                message =
                    Terminal.errors.styled(String(errorPrefix), .red) + message.dropFirst(errorPrefix.count)
            }
            (code == .done ? Output.out : Output.err)(message)
            return code
        }
    }

    /// Returns a failure as JSON: the server's problem, or `detail` with the message and the code of a failed start.
    static func failure(_ error: any Error, _ message: String) -> JSONValue {
        if let problem = (error as? CommandFailure)?.problem { return .object(problem) }
        let detail = message.hasPrefix("\(errorPrefix) ") ? String(message.dropFirst(errorPrefix.count + 1)) : message
        var failure = JSONObject([("detail", .string(detail))])
        let code = (error as? StartFault)?.code.rawValue ?? (error as? EyotError)?.code.rawValue
        failure["code"] = code.map(JSONValue.string)
        return .object(failure)
    }

    /// Returns the exit code and the text for an error. A request for help is no error. Invalid arguments and settings
    /// are misuse, which no repetition mends.
    static func ending(of error: any Error) -> (Code, String) {
        let message = EyotCommand.fullMessage(for: error)
        if error is SettingError { return (.misused, message) }
        return switch EyotCommand.exitCode(for: error) {
        case .success: (.done, message)
        case .validationFailure: (.misused, message)
        default: (.failed, message)
        }
    }
}
