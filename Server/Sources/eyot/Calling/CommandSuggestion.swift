import ArgumentParser
import EyotContract

/// The command that a mistyped one is close to.
enum CommandSuggestion {
    /// Returns what to type instead; nil if the arguments name a command, or nothing is near.
    static func text(for arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = EyotCommand.self
        var path = [command._commandName]
        for word in arguments {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            if let next = commands.first(where: { $0._commandName == word }) {
                command = next
                path.append(word)
                continue
            }
            guard let near = NearMiss.of(word, among: commands.map { $0._commandName }) else { return nil }
            return "Did you mean `\((path + [near]).joined(separator: " "))`?"
        }
        return nil
    }
}
