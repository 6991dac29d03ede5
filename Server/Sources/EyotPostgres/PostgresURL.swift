import EyotStore

/// Where a PostgreSQL database is, and how it is used.
///
/// The text is a URL as libpq takes it, with several hosts, `sslmode` and everything else. Parameters of Eyot's own
/// come in its query, and libpq never sees them.
package struct PostgresURL: Sendable, Hashable, CustomStringConvertible {
    /// Parameters of Eyot's own.
    private enum Parameter: String {
        case connections = "pool_max_conns"
        case statementSeconds = "statement_timeout_seconds"
        case prepared = "prepared_statements"
    }

    /// The fewest and the most connections of one process.
    package static let connectionBounds = 4...200

    /// The URL for libpq. It may hold a password, so it goes into no log and no answer.
    package private(set) var text = ""
    /// How many connections this process makes.
    package private(set) var connections = 10
    /// Seconds after which the database ends a statement. Statements that a caller's audience shapes end earlier.
    package private(set) var statementSeconds = 30
    /// Whether the connections keep prepared statements; nil if that is to be found out. A pooler may hand each
    /// transaction to another connection of the server, which does not know them.
    package var keepsStatements: Bool?

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
                others.append(pair)
                continue
            }
            guard words.count == 2, take(parameter, words[1]) else { return nil }
        }
        self.text = parts[0] + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
    }

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
            guard let number = Int(value), (1...600).contains(number) else { return false }
            statementSeconds = number
        case .prepared:
            guard value == "on" || value == "off" else { return false }
            keepsStatements = value == "on"
        }
        return true
    }
}
