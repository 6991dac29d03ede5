import EyotPostgres

/// Where a lab's server keeps its data.
public enum LabDatabase: Sendable, Hashable {
    /// In a file of SQLite in the lab's folder. One server uses it.
    case file
    /// In a PostgreSQL server that the lab starts, and deletes at its end. It needs the server's programs on this
    /// machine, and libpq.
    case throwaway
    /// In the PostgreSQL database at this URL. A password in it is never shown.
    case existing(String)
}

extension LabConfiguration {
    /// The most nodes of one lab.
    public static let nodeLimit = 9

    /// How the settings contradict each other; nil if they do not.
    package var contradiction: String? {
        guard (1...Self.nodeLimit).contains(nodes) else { return "a lab has 1 to \(Self.nodeLimit) nodes" }
        switch database {
        case .file where nodes > 1:
            return "several nodes need PostgreSQL, because only one server uses a file: add --postgres or --database"
        case .throwaway where folder != nil:
            return "a server of --postgres keeps nothing, so --state needs --database"
        case .existing(let url) where PostgresURL(url) == nil:
            return "--database takes the URL of a PostgreSQL database, such as postgres://user@host/name"
        default: return nil
        }
    }

    /// The database for people: a file's URL, or hosts and name without user and password.
    func databasePlace(in folder: LabFolder, _ postgres: ThrowawayPostgres?) -> String {
        guard let url = databaseURL(postgres) else { return folder.database }
        return PostgresURL(url)?.description ?? "postgres:"
    }

    /// The URL of the PostgreSQL database, which may have a password; nil if the data is in a file.
    func databaseURL(_ postgres: ThrowawayPostgres?) -> String? {
        switch database {
        case .file: nil
        case .throwaway: postgres?.url
        case .existing(let url): url
        }
    }
}
