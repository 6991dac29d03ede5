import EyotStore

extension ConnectionFault {
    /// What libpq says when no server has refused the connection. The library speaks English in this program.
    private static let libraryWords: [(words: String, fault: ConnectionFault)] = [
        ("server does not support SSL", .tls), ("SSL error", .tls), ("SSL SYSCALL", .tls), ("certificate", .tls),
        ("Connection refused", .unreachable), ("timeout expired", .unreachable),
        ("could not translate host name", .unreachable), ("No such file", .unreachable),
        ("No route to host", .unreachable), ("Network is unreachable", .unreachable),
    ]

    /// The fault that libpq found by itself; nil if its words are those of a server.
    init?(saidByLibrary text: String) {
        guard let row = Self.libraryWords.first(where: { text.contains($0.words) }) else { return nil }
        self = row.fault
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
