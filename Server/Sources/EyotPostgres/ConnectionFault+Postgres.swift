import EyotStore

extension ConnectionFault {
    /// What libpq says when no server has refused the connection. The library speaks English in this program.
    private static let libraryWords: [(words: String, fault: ConnectionFault)] = [
        ("no password supplied", .login), ("invalid URI query parameter", .parameters),
        ("invalid connection option", .parameters), ("definition of service", .parameters),
        ("service file", .parameters), (" value: \"", .parameters), ("invalid integer value", .parameters),
        ("invalid port number", .parameters), ("server does not support SSL", .tls), ("SSL error", .tls),
        ("SSL SYSCALL", .tls), ("certificate", .tls),
        ("Connection refused", .unreachable), ("timeout expired", .unreachable),
        ("could not translate host name", .unreachable), ("No such file", .unreachable),
        ("No route to host", .unreachable), ("Network is unreachable", .unreachable),
    ]

    /// The fault that libpq found by itself; nil if its words are those of a server.
    init?(saidByLibrary text: String) {
        guard let row = Self.libraryWords.first(where: { text.contains($0.words) }) else { return nil }
        self = row.fault
    }

    /// The fault that a server names in what libpq says with `PQERRORS_SQLSTATE`. Several servers may have refused, and
    /// one server with TLS and without it. A later refusal is often only about that, so the first one with a name
    /// counts.
    ///
    /// - Parameter text: Lines such as "FATAL:  28P01", and others, such as the file that the password came from.
    init(saidByServers text: String) {
        let faults = text.split(whereSeparator: \.isNewline)
            .compactMap { $0.firstMatch(of: /:\s+([0-9A-Z]{5})\s*$/) }.map { ConnectionFault(code: $0.1) }
        self = faults.first { $0 != .unreachable } ?? .unreachable
    }

    /// The fault for the code with which a server refuses a connection.
    init(code: some StringProtocol) {
        self =
            switch code {
            case "28000", "28P01": .login
            case "3D000": .unknown
            case "53300": .connections
            default: .unreachable
            }
    }
}
