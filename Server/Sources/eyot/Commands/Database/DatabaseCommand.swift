import ArgumentParser

struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database", abstract: "Back up, check, restore, move and measure the database.",
        discussion: """
            Works on the database in EYOT_DATABASE_URL. The options, variables and file of `eyot serve` hold here, too.

            eyot database backup /var/backups/eyot/today.sqlite
            """,
        subcommands: [
            DatabaseBackup.self, DatabaseCheck.self, DatabaseRestore.self, DatabaseAdopt.self,
            DatabaseCopyCommand.self, DatabaseReopen.self, DatabaseSizeCommand.self, DatabaseVacuum.self,
        ])
}
