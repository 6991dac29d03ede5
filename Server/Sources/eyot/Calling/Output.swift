import EyotContract
import Foundation

/// The output of commands.
enum Output {
    /// Writes a line of data to standard output.
    static func out(_ line: String) { write(line, to: .standardOutput) }
    /// Writes a line about progress or errors to standard error.
    static func err(_ line: String) { write(line, to: .standardError) }

    /// Replaces the last line on a terminal.
    static func rewrite(_ line: String) {
        let start = line.hasPrefix("\n") ? "" : "\r\u{1B}[K"
        try? FileHandle.standardOutput.write(contentsOf: Data((start + line).utf8))
    }

    private static func write(_ line: String, to handle: FileHandle) {
        // A reader that closed the pipe does not want the rest.
        try? handle.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Prints one value: compact JSON if asked for, otherwise one member a line.
    static func value(_ value: JSONValue, asJSON: Bool) {
        guard !asJSON, let object = value.object else { return out(value.text) }
        let width = object.members.map(\.name.count).max() ?? 0
        for member in object.members {
            out(
                member.name.padding(toLength: width + 2, withPad: " ", startingAt: 0)
                    + Table.text(of: member))
        }
    }

    /// Prints a table, with its headings in bold on a terminal.
    static func table(_ table: Table) {
        for (index, line) in table.lines.enumerated() {
            out(index == 0 ? Terminal.output.styled(line, .bold) : line)
        }
        if table.isCut {
            out(Terminal.output.styled("Cut to the terminal's width; --json shows everything.", .faint))
        }
    }

    /// Prints a list of values: compact JSON if asked for, otherwise a table with these columns.
    ///
    /// - Parameter option: the option that fetches the next page.
    static func list(
        _ body: JSONValue, of member: String, columns: [String], asJSON: Bool, goingOnBy option: String = "--after"
    ) {
        guard !asJSON, let rows = body.object?[member]?.array else { return out(body.text) }
        table(Table(columns: columns, rows: rows, width: Terminal.output.width))
        if let next = body.object?["next"]?.string { out("more: \(option) \(next)") }
    }
}
