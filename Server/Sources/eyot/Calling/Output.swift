import EyotContract
import Foundation

/// Where commands write.
enum Output {
    /// A line for whoever called; data goes here.
    static func out(_ line: String) { write(line, to: .standardOutput) }
    /// A line about what is going on or went wrong.
    static func err(_ line: String) { write(line, to: .standardError) }

    private static func write(_ line: String, to handle: FileHandle) {
        // Whoever closed the pipe does not want the rest.
        try? handle.write(contentsOf: Data((line + "\n").utf8))
    }

    /// One value: compact JSON where that was asked for, else its members, one to a line.
    static func value(_ value: JSONValue, asJSON: Bool) {
        guard !asJSON, let object = value.object else { return out(value.text) }
        let width = object.members.map(\.name.count).max() ?? 0
        for member in object.members {
            out(
                member.name.padding(toLength: width + 2, withPad: " ", startingAt: 0)
                    + Table.text(of: member))
        }
    }

    /// A list of values: compact JSON where that was asked for, else a table with these columns.
    ///
    /// - Parameter option: by which the command takes where to go on.
    static func list(
        _ body: JSONValue, of member: String, columns: [String], asJSON: Bool, goingOnBy option: String = "--after"
    ) {
        guard !asJSON, let rows = body.object?[member]?.array else { return out(body.text) }
        for line in Table(columns: columns, rows: rows).lines { out(line) }
        if let next = body.object?["next"]?.string { out("more: \(option) \(next)") }
    }
}
