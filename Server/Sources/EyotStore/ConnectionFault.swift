/// Why a database takes no connection. The raw values are the codes that logs, `eyot doctor` and `/readyz` show.
package enum ConnectionFault: String, Sendable, Hashable, CaseIterable {
    /// Nothing answers, or the server is starting or stopping.
    case unreachable = "databaseUnreachable"
    case login = "databaseLogin"
    case unknown = "databaseUnknown"
    case tls = "databaseTLS"
    case connections = "databaseConnections"
    /// A parameter of the URL, or a file that it names, is not one that PostgreSQL's library takes.
    case parameters = "databaseParameters"

    /// What is wrong and what to do, without names and addresses.
    package var sentence: String {
        switch self {
        case .unreachable:
            "the database of EYOT_DATABASE_URL does not answer; check that it runs, its host and its port"
        case .login:
            """
            the database of EYOT_DATABASE_URL refuses the user or the password, or got none; check both, in the URL, in \
            PGPASSWORD or in the file of passwords, which only its owner may read
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
        case .parameters:
            """
            PostgreSQL's library does not take a parameter of EYOT_DATABASE_URL, or the service that it names; correct \
            the parameter that the log names
            """
        }
    }
}
