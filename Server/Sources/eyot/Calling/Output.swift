import EyotContract
import Foundation

/// The output of commands.
enum Output {
    /// Writes a line of data to standard output.
    static func out(_ line: String) { write(line, to: .standardOutput) }
    /// Writes a line about progress or errors to standard error.
    static func err(_ line: String) { write(line, to: .standardError) }

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

    /// Prints a list of values: compact JSON if asked for, otherwise a table with these columns.
    ///
    /// - Parameter option: the option that fetches the next page.
    static func list(
        _ body: JSONValue, of member: String, columns: [String], asJSON: Bool, goingOnBy option: String = "--after"
    ) {
        guard !asJSON, let rows = body.object?[member]?.array else { return out(body.text) }
        for line in Table(columns: columns, rows: rows).lines { out(line) }
        if let next = body.object?["next"]?.string { out("more: \(option) \(next)") }
    }
}
