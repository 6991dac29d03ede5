import ArgumentParser
import EyotContract
import EyotServer

/// Brings the database to the schema of this program, or says what that would do.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring the database to the schema of this program.",
        discussion: """
            Works on the database in EYOT_DATABASE_URL, and prints each step. `eyot serve` does the same at its start. \
            An interrupted migration is continued by the next call. A database that this program does not work with is \
            refused by name, and is left as it is.

            `--sql` prints the statements instead, for a database of PostgreSQL in which only another user may create \
            tables. They are one transaction.

            eyot migrate --check
            eyot migrate --sql | psql "$ADMIN_URL"
            """)

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Only say what would be done. The exit code is 1 if the database is refused.")
    var check = false

    @Flag(help: "Only print the statements of SQL. Nothing if the database needs none.")
    var sql = false

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let settings = try settings.configuration()
        do {
            if sql {
                for statement in try Migration.script(settings) { Output.out("\(statement);") }
            } else {
                try check ? sayPlan(settings) : migrate(settings)
            }
        } catch {
            guard let code = Migration.code(of: error) else { throw error }
            throw CommandFailure(
                "\(error)", problem: JSONObject([("code", .string(code)), ("detail", .string("\(error)"))]))
        }
    }

    private func sayPlan(_ settings: ServerConfiguration) throws {
        let plan = try Migration.check(settings)
        guard json else { return plan.lines.forEach(Output.out) }
        Output.out(plan.json.text)
    }

    private func migrate(_ settings: ServerConfiguration) throws {
        let (plan, version) = try Migration.run(settings) { progress in
            if !json { Output.out(progress.line) }
        }
        guard json else { return Output.out("The database has schema \(version). It had \(plan.found).") }
        Output.value(
            [
                "schema": .integer(version), "before": .integer(plan.found),
                "steps": .array(plan.pending.map { ["number": .integer($0.number), "name": .string($0.name)] }),
            ], asJSON: true)
    }
}
