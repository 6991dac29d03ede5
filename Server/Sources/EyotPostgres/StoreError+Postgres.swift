import EyotStore

extension StoreError {
    /// The store's error for an error of the server. Its messages name columns and constraints, not values.
    ///
    /// - Parameters:
    ///   - code: The five characters of SQLSTATE; nil if libpq itself failed.
    ///   - message: The message without details.
    static func postgres(code: String?, message: String) -> StoreError {
        guard let code else { return .connectionLost(message) }
        let detail = "\(message) (PostgreSQL \(code))"
        switch code {
        case "40001", "40P01", "55P03": return .conflict(detail)
        // The transaction runs again, without prepared statements.
        case _ where isLostStatement(code): return .conflict(detail)
        case "53100": return .diskFull
        // A server that speaks another language leaves it open, and a limit of time is the usual reason.
        case "57014": return message.contains("user request") ? .refused(.cancelled, detail) : .timedOut
        case "42501": return .refused(.rights, detail)
        case "42P01", "42703", "42883", "42704", "42804", "3F000": return .refused(.tables, detail)
        case _ where code.hasPrefix("53"): return .refused(.resources, detail)
        case "XX001", "XX002": return .refused(.files, detail)
        case _ where code.hasPrefix("58"): return .refused(.files, detail)
        // Two sessions changed the same table's description.
        case "XX000" where message.contains("concurrently updated"): return .conflict(detail)
        // The server stops, or has become one that only reads: another one may have taken its place.
        case "57P01", "57P02", "57P03", "57P05", "25006", "25P03": return .connectionLost(detail)
        case _ where code.hasPrefix("08"): return .connectionLost(detail)
        case _ where code.hasPrefix("23"): return .constraint(detail)
        default: return .failed(detail)
        }
    }

    /// Whether a prepared statement is missing, or was there already.
    static func isLostStatement(_ code: String?) -> Bool { code == "26000" || code == "42P05" }
}
