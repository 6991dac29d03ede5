import EyotCommands
import EyotDomain
import EyotSQLite

/// The first key, made at the database itself since there is none to call the server with.
package enum OperatorKey {
    /// - Returns: the key's text, which is kept nowhere.
    /// - Throws: ``OperatorKeyError`` where there is one already.
    package static func create(_ configuration: ServerConfiguration) async throws -> Secret {
        let database = try configuration.openDatabase()
        defer { try? database.close() }
        let secret = Keyring.make(.apiKey)
        let now = AdjustableClock().now
        try database.write { ledger in
            guard try ledger.apiKeys(of: nil).allSatisfy({ $0.revokedAt != nil }) else { throw OperatorKeyError.exists }
            _ = try APIKeys(ledger: ledger, now: now).create(name: "operator", of: nil, secret: secret)
        }
        return secret.secret
    }
}

package enum OperatorKeyError: Error, Sendable, CustomStringConvertible {
    case exists

    package var description: String {
        "there is an operator's key already; with it, `eyot key create` makes further ones"
    }
}
