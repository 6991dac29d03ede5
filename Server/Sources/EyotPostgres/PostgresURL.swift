import EyotStore

/// Where a PostgreSQL database is, and how it is used.
///
/// The text is a URL as libpq takes it, with several hosts, `sslmode` and everything else. Parameters of Eyot's own
/// come in its query, and libpq never sees them.
package struct PostgresURL: Sendable, Hashable, CustomStringConvertible {
    /// Parameters of Eyot's own.
    private enum Parameter: String, CaseIterable {
        case connections = "pool_max_conns"
        case statementSeconds = "statement_timeout_seconds"
        case prepared = "prepared_statements"

        /// What the value has to be.
        var expected: String {
            switch self {
            case .connections:
                "\(PostgresURL.connectionBounds.lowerBound) to \(PostgresURL.connectionBounds.upperBound)"
            case .statementSeconds:
                "\(PostgresURL.secondsBounds.lowerBound) to \(PostgresURL.secondsBounds.upperBound)"
            case .prepared: "on or off"
            }
        }

        /// Whether the name is one of Eyot's with a slip of the pen. libpq has none that is alike.
        func resembles(_ name: some StringProtocol) -> Bool {
            let (own, other) = (rawValue.filter { $0 != "_" }, name.lowercased().filter { $0 != "_" && $0 != "-" })
            return own.prefix(6) == other.prefix(6) || own.suffix(8) == other.suffix(8)
        }
    }

    /// The fewest and the most connections of one process.
    package static let connectionBounds = 4...200
    /// The bounds of ``statementSeconds``.
    private static let secondsBounds = 1...600

    /// The URL for libpq. It may hold a password, so it goes into no log and no answer.
    package private(set) var text = ""
    /// How many connections this process makes.
    package private(set) var connections = 10
    /// Seconds after which the database ends a statement. Statements that a caller's audience shapes end earlier.
    package private(set) var statementSeconds = 30
    /// Whether the connections keep prepared statements; nil if that is to be found out. A pooler may hand each
    /// transaction to another connection of the server, which does not know them.
    package var keepsStatements: Bool?

    /// Whether it says by itself in which schema the tables are.
    var namesSchema: Bool { text.contains("search_path") }

    /// The hosts and the database, without user and password.
    package var description: String {
        let place = text.split(separator: "?", maxSplits: 1).first ?? ""
        let words = place.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        let afterUser = words.last?.split(separator: "@").last ?? ""
        return "postgres://\(afterUser.drop { $0 == "/" })"
    }

    /// - Returns: nil if the text does not have the form of a URL of PostgreSQL, or a parameter has no such value.
    package init?(_ text: String) {
        guard let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix),
            Self.hasForm(text.dropFirst(scheme.count))
        else { return nil }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var others: [Substring] = []
        for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let parameter = Parameter(rawValue: String(words[0])) else {
                if Parameter.allCases.contains(where: { $0.resembles(words[0]) }) { return nil }
                others.append(pair)
                continue
            }
            guard words.count == 2, take(parameter, words[1]) else { return nil }
        }
        self.text = parts[0] + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
    }

    /// What a refused text has to be: a parameter has no such value, or a name that only resembles one of Eyot's. Nil
    /// if no parameter is wrong. It says nothing else of the text, which may hold a password.
    package static func expectation(for text: String) -> String? {
        guard let query = text.split(separator: "?", maxSplits: 1).dropFirst().first, text.hasPrefix("postgres") else {
            return nil
        }
        for pair in query.split(separator: "&") {
            let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if let parameter = Parameter(rawValue: String(words[0])) {
                var url = PostgresURL()
                if words.count == 2, url.take(parameter, words[1]) { continue }
                return "a URL whose \(parameter.rawValue) is \(parameter.expected)"
            }
            guard let meant = Parameter.allCases.first(where: { $0.resembles(words[0]) }) else { continue }
            return "a URL without \(words[0]), which is no parameter: \(meant.rawValue) is one"
        }
        return nil
    }

    private init() {}

    /// Whether libpq can read what stands behind the scheme. It would repeat the part that it cannot read, such as a
    /// password with characters that are not escaped.
    private static func hasForm(_ rest: Substring) -> Bool {
        let escapes = rest.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
        guard escapes.allSatisfy({ $0.prefix(2).count(where: \.isHexDigit) == 2 }) else { return false }
        let words = rest.prefix { $0 != "/" && $0 != "?" }.split(separator: "@", omittingEmptySubsequences: false)
        guard words.count <= 2, let hosts = words.last else { return false }
        return hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
            // The address of IPv6 stands in brackets.
            let port = host.last { $0 == "]" } == nil ? host.drop { $0 != ":" } : host.drop { $0 != "]" }.dropFirst()
            return port.isEmpty || port.first == ":" && port.dropFirst().allSatisfy(\.isNumber)
        }
    }

    private mutating func take(_ parameter: Parameter, _ value: Substring) -> Bool {
        switch parameter {
        case .connections:
            guard let number = Int(value), Self.connectionBounds.contains(number) else { return false }
            connections = number
        case .statementSeconds:
            guard let number = Int(value), Self.secondsBounds.contains(number) else { return false }
            statementSeconds = number
        case .prepared:
            guard value == "on" || value == "off" else { return false }
            keepsStatements = value == "on"
        }
        return true
    }
}
