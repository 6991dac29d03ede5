/// Why a database takes no connection. The raw values are the codes that logs, `eyot doctor` and `/readyz` show.
package enum ConnectionFault: String, Sendable, Hashable, CaseIterable {
    /// Nothing answers, or the server is starting or stopping.
    case unreachable = "databaseUnreachable"
    case login = "databaseLogin"
    case unknown = "databaseUnknown"
    case tls = "databaseTLS"
    case connections = "databaseConnections"

    /// What is wrong and what to do, without names and addresses.
    package var sentence: String {
        switch self {
        case .unreachable:
            "the database of EYOT_DATABASE_URL does not answer; check that it runs, its host and its port"
        case .login:
            """
            the database of EYOT_DATABASE_URL refuses the user or the password; check both, in the URL, in PGPASSWORD \
            or in the file of passwords
            """
        case .unknown: "the server of EYOT_DATABASE_URL has no such database; check its name, or create it"
        case .tls:
            """
            no encrypted connection to the database of EYOT_DATABASE_URL can be made; check sslmode and sslrootcert, \
            and the server's certificate
            """
        case .connections:
            """
            the database of EYOT_DATABASE_URL has no connection left; lower pool_max_conns, or raise max_connections \
            of the server or the limit of the user
            """
        }
    }
}
