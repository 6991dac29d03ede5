import EyotCommands
import EyotDomain
import EyotSQLite

/// The operator's first key, made in the database itself because there is no key yet for a call to the server.
package enum OperatorKey {
    /// Makes an operator's key.
    ///
    /// - Parameter replacing: Whether the new key replaces the present ones, which are revoked.
    /// - Returns: The key's text, which is stored nowhere.
    /// - Throws: ``OperatorKeyError`` if there is a key already and it is not replaced.
    package static func create(_ configuration: ServerConfiguration, replacing: Bool = false) async throws -> Secret {
        let secret = Keyring.make(.apiKey)
        let now = AdjustableClock().now
        try configuration.openDatabase().closing { database in
            try database.write { try store(secret, replacing: replacing, in: $0, at: now) }
        }
        return secret.secret
    }

    private static func store(_ secret: Keyring.NewSecret, replacing: Bool, in ledger: any Ledger, at now: Instant)
        throws
    {
        let usable = try ledger.apiKeys(of: nil).filter { $0.isUsable(at: now) && $0.plane != .panel }
        guard usable.isEmpty || replacing else { throw OperatorKeyError.exists }
        for var key in usable {
            key.revokedAt = now
            try ledger.update(key)
        }
        let key = try APIKeys(Transaction(ledger, at: now)).create(.init(name: "operator"), of: nil, secret: secret)
        try ledger.note(
            AuditEntry(
                app: nil, at: now, key: key.id, hint: key.hint, method: "CLI", route: "eyot key create --operator",
                subject: "made=\(key.id)" + usable.map { " revoked=\($0.id)" }.joined(), status: 201, address: nil))
    }
}

package enum OperatorKeyError: Error, Sendable, CustomStringConvertible {
    case exists

    package var description: String {
        """
        there is an operator's key already; with it, `eyot key create` makes further ones. If it is lost, \
        `eyot key create --operator --replace` revokes all operator's keys and makes a new one
        """
    }
}
