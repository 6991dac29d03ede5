import ArgumentParser
import EyotLab
import Foundation

/// How many servers a lab has, and where they keep their data.
struct LabServerOptions: ParsableArguments {
    @Option(
        help: """
            The number of servers, 1 to 9. They are nodes on one database, so more than one needs --postgres or \
            --database.
            """)
    var nodes = 1

    @Flag(help: "Keep the data in a PostgreSQL server that the lab starts and deletes at its end, instead of a file.")
    var postgres = false

    @Option(
        help: ArgumentHelp(
            "The URL of a PostgreSQL database that keeps the data, instead of a file.",
            discussion: """
                The database must be empty, or have the data of the lab that ran with the same --state. libpq also \
                takes the password from PGPASSFILE or PGPASSWORD, where no list of processes shows it.
                """, valueName: "url"))
    var database: String?

    /// Puts the options into the settings of a lab.
    ///
    /// - Throws: `ValidationError` if they contradict each other or the other settings.
    func apply(to configuration: inout LabConfiguration) throws {
        guard !postgres || database == nil else {
            throw ValidationError("--postgres and --database exclude each other.")
        }
        configuration.nodes = nodes
        configuration.database = postgres ? .throwaway : database.map(LabDatabase.existing) ?? .file
        if let contradiction = configuration.contradiction {
            throw ValidationError(contradiction.prefix(1).uppercased() + contradiction.dropFirst() + ".")
        }
    }
}
