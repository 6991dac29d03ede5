import ArgumentParser
import Foundation
import Testing

@testable import eyot
@testable import eyot_bench

/// The page of all commands is made from them, so that a change of one is seen. `WRITE_GOLDEN=1` writes it anew.
@Suite("The reference of the commands")
struct CommandReferenceTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs/reference/cli.md").standardizedFileURL

    private struct Command {
        var name: String
        var type: any ParsableCommand.Type
        /// The root of its executable.
        var root: any ParsableCommand.Type
    }

    private static let roots = [
        Command(name: "eyot", type: EyotCommand.self, root: EyotCommand.self),
        Command(name: "eyot-bench", type: BenchCommand.self, root: BenchCommand.self),
    ]

    /// A command and those below it, in the order of the help.
    private static func all(_ command: Command) -> [Command] {
        let configuration = command.type.configuration
        let below = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
        var known: Set<String> = []
        return [command]
            + below.filter { known.insert($0._commandName).inserted }.flatMap {
                all(Command(name: "\(command.name) \($0._commandName)", type: $0, root: command.root))
            }
    }

    private static func anchor(_ name: String) -> String { name.replacing(" ", with: "-") }

    /// The page. Commands that only hold others are not on it.
    private static func text() -> String {
        let commands = roots.flatMap(all).filter { command in
            !command.root.helpMessage(for: command.type).contains("USAGE: \(command.name) <subcommand>\n")
        }
        let rows = commands.map { command in
            "| [`\(command.name)`](#\(anchor(command.name))) | \(command.type.configuration.abstract) |\n"
        }
        let sections = commands.map { command in
            let help = command.root.helpMessage(for: command.type, columns: 80)
            return "\n## \(command.name)\n\n```text\n\(help)\n```\n"
        }
        return """
            # Commands

            After this page you know what each command of `eyot` takes and prints. The page is made from the commands:
            `eyot activity start --help` prints the same. `eyot-bench` measures a build, and no package contains it.

            Commands that call a server find it by `EYOT_URL` and prove themselves with `EYOT_API_KEY`. `--json` prints
            what the server answers, as one line. With `--json` a failure is one line of JSON on standard error. A
            command ends with 0 when it is done, with 1 when it failed, and with 2 when an argument or a setting is wrong.

            `eyot --generate-completion-script zsh` prints completions for a shell: `bash`, `zsh` or `fish`.

            | command | what it does |
            |---|---|
            \(rows.joined())\(sections.joined())
            """ + "\n"
    }

    @Test func `The page is made of the commands as they are`() throws {
        let text = Self.text()
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1" { try Data(text.utf8).write(to: Self.page) }
        #expect(try String(contentsOf: Self.page, encoding: .utf8) == text)
    }

    @Test func `Each command says what it does`() {
        for command in Self.roots.flatMap(Self.all) {
            let abstract = command.type.configuration.abstract
            #expect(abstract.hasSuffix("."), "\(command.name): \(abstract)")
        }
    }
}
