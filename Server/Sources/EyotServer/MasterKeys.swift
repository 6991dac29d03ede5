import EyotCommands
import EyotDomain
import EyotPostgres
import EyotSQLite
import EyotStore
import Foundation

/// Changes of a database's master key while no server runs with it.
package enum MasterKeys {
    /// Seals all secrets anew with another master key, in one transaction. A second call changes nothing.
    ///
    /// - Parameter path: The file with the new key. It is created if it is missing.
    /// - Returns: How many secrets were sealed anew, and the id of the new master key.
    /// - Throws: ``StoreError/inUse(process:)`` if a server runs with the database, and ``SealError`` if the present
    ///   master key does not open a secret.
    package static func rotate(
        _ configuration: ServerConfiguration, to path: String
    ) throws -> (resealed: Int, id: String) {
        try withDatabase(configuration) { database in
            let old = try configuration.readMasterKey(of: database)
            let new = try MasterKeyFile.key(at: path, mayMake: true)
            let sealer = Sealer(new, older: [old])
            let resealed = try database.write { try SealedKeys(ledger: $0, sealer: sealer).reseal() }
            return (resealed, new.id)
        }
    }

    /// Removes the APNs keys that the present master key does not open. A missing master key is created.
    ///
    /// - Returns: The removed keys, by the bundle ids of their apps and Apple's environments.
    package static func drop(_ configuration: ServerConfiguration) throws -> [(bundleID: String, environment: String)] {
        try withDatabase(configuration) { database in
            let key = try configuration.readMasterKey(mayMake: true)
            let now = AdjustableClock().now
            let dropped = try database.write { try SealedKeys(ledger: $0, sealer: Sealer(key)).dropUnreadable(at: now) }
            return dropped.map { ($0.app.bundleID, $0.key.environment.rawValue) }
        }
    }

    /// Why the master key does not open what the database holds; nil if it does, or if there is nothing to open.
    package static func fault(_ configuration: ServerConfiguration) -> String? {
        if configuration.masterKey == nil, configuration.masterKeyPath == nil {
            return "\(StartFault.masterKeyMissing)"
        }
        if let path = configuration.databasePath, !FileManager.default.fileExists(atPath: path) { return nil }
        do {
            // An older schema lacks columns that are read here. The migration of the first start changes no secret.
            guard try Migration.check(configuration).pending.isEmpty else { return nil }
            try configuration.readDatabase { ledger in
                guard try !SealedKeys.isEmpty(in: ledger) else { return }
                let key = try configuration.readMasterKey(mayMake: false)
                try SealedKeys(ledger: ledger, sealer: Sealer(key)).check()
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Runs a check of the master key. A key that does not fit is a wrong setting, which no restart mends.
    ///
    /// - Throws: ``SettingError`` for a key of another form or another database.
    static func asSetting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SealError {
            if case .damaged = error { throw error }
            throw SettingError("\(Setting.masterKeyFile.variable): \(error)")
        }
    }

    private static func withDatabase<Result>(
        _ configuration: ServerConfiguration, _ body: (any LedgerDatabase) throws -> Result
    ) throws -> Result {
        try configuration.requireDatabase()
        let lock = try configuration.lockDatabase()
        defer { withExtendedLifetime(lock) {} }
        return try configuration.openDatabase().closing(body)
    }
}

extension ServerConfiguration {
    /// Reads a database that has today's tables, beside a server.
    fileprivate func readDatabase(_ body: (any Ledger) throws -> Void) throws {
        switch database {
        case .sqlite(let path): try DatabaseCopy.read(path, body)
        case .postgres(let url): try PostgresDatabase(url).closing { try $0.read(body) }
        }
    }
}
