import ArgumentParser
import EyotContract
import EyotServer
import EyotStore

struct DatabaseCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Move the database from SQLite to PostgreSQL, or back.",
        discussion: """
            FROM and TO are URLs as EYOT_DATABASE_URL takes them. Stop every server first. TO has no rows yet: a \
            database of PostgreSQL, or a file that does not exist. All rows are copied, and both databases are read \
            again: the command prints the rows of each table and the SHA-256 of both sides.

            Every app begins halted in TO. FROM is marked as moved, so that no server starts with it; its apps are \
            halted too. `eyot database reopen` undoes that. EYOT_MASTER_KEY or EYOT_MASTER_KEY_FILE names the master \
            key of TO. Passwords are better in PGPASSFILE than in the URL, which other users of the machine can see.

            eyot database copy sqlite:eyot.sqlite postgres://eyot@db.example.org/eyot
            """)

    @Argument(help: "The URL of the database that is moved.")
    var from: String

    @Argument(help: "The URL of the empty database that it is moved to.")
    var to: String

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        do {
            let move = try MoveDatabase(from: from, to: to, settings.configuration())
            let moved = try move { progress in
                if !json, let line = progress.line { Output.err(line) }
            }
            guard !json else { return Output.out(moved.json(move).text) }
            let columns = ["table", "rows", "sha256", "copyRows", "copySHA256"]
            Output.table(
                Table(columns: columns, rows: moved.comparisons.map(\.row), width: Terminal.output.width))
            for line in moved.nextSteps(move) { Output.err(line) }
        } catch {
            guard let code = Self.code(of: error) else { throw error }
            throw CommandFailure(
                "\(error)", problem: JSONObject([("code", .string(code)), ("detail", .string("\(error)"))]))
        }
    }

    private static func code(of error: any Error) -> String? {
        (error as? MoveFault)?.code.rawValue ?? (error as? StoreError)?.kind
    }
}

extension MoveRows.Progress {
    /// The progress in words; nil for a table without rows.
    fileprivate var line: String? {
        switch self {
        case .copied(_, rows: 0), .compared(_, rows: 0): nil
        case .copied(let table, let rows): "\(table): copied \(rows) rows"
        case .compared(let table, let rows): "\(table): read \(rows) rows again"
        }
    }
}

extension MoveDatabase.Moved {
    fileprivate func json(_ move: MoveDatabase) -> JSONValue {
        [
            "from": .string(move.source.place), "to": .string(move.target.place),
            "tables": .array(
                comparisons.map { comparison in
                    [
                        "table": .string(comparison.table), "rows": .integer(comparison.source.rows),
                        "sha256": .string(comparison.source.sha256), "copyRows": .integer(comparison.target.rows),
                        "copySHA256": .string(comparison.target.sha256),
                    ]
                }),
            "halted": .array(apps.map(JSONValue.string)),
            "masterKeys": .array(masterKey.ids.map(JSONValue.string)), "masterKey": .string(masterKeyLine(move)),
            "next": .array(nextSteps(move).map(JSONValue.string)),
        ]
    }

    /// What is left for the operator, in its order.
    fileprivate func nextSteps(_ move: MoveDatabase) -> [String] {
        [
            masterKeyLine(move), "Start the servers with EYOT_DATABASE_URL for \(move.target.place).",
        ]
            + apps.map { "\($0) is halted: eyot app resume \($0)" } + [
                """
                \(move.source.place) is marked as moved, and no server starts with it. The way back, before anything \
                was accepted: eyot database reopen --database-url \(move.source.place)
                """
            ]
    }

    private func masterKeyLine(_ move: MoveDatabase) -> String {
        let ids = masterKey.ids.joined(separator: ", ")
        return switch masterKey.place {
        case .notNeeded: "Nothing is sealed, so the copy needs no former master key."
        case .setting(let setting): "The master key of \(setting) opens the copy: give every server of it the same."
        case .besideTarget(let path): "The master key in \(path) opens the copy."
        case .besideSource(let path):
            """
            The copy needs the master key in \(path), which is not copied: bring that file to each server, and name \
            it by EYOT_MASTER_KEY_FILE.
            """
        case .unknown:
            """
            No master key is named here, so it was not checked that one opens the copy. It needs the key \(ids): name \
            it by EYOT_MASTER_KEY_FILE when you start the server.
            """
        }
    }
}

extension MoveRows.Comparison {
    /// How many digits of a digest the table shows. `--json` prints all.
    private static let shownDigits = 16

    fileprivate var row: JSONValue {
        [
            "table": .string(table), "rows": .integer(source.rows), "copyRows": .integer(target.rows),
            "sha256": .string(String(source.sha256.prefix(Self.shownDigits))),
            "copySHA256": .string(String(target.sha256.prefix(Self.shownDigits))),
        ]
    }
}
