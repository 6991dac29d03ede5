import EyotCommands
import EyotDomain
import EyotSQLite

/// What is done with the master key while no server runs: it is read at the start.
package enum MasterKeys {
    /// Seals everything anew with another key. One transaction, so that after a crash it is done or not; done again, it finds
    /// nothing to do.
    ///
    /// - Parameter path: the file with the new key, which is made where it is not there.
    /// - Returns: how many keys were sealed anew, and the id of the new master key.
    /// - Throws: where a server runs with the database, and ``SealError`` where the present key does not open what is there.
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

    /// Removes what the present master key does not open, be it lost or another one. Where there is none, one is made.
    ///
    /// - Returns: the keys that are gone, by the bundle ids of their apps and Apple's environments.
    package static func drop(_ configuration: ServerConfiguration) throws -> [(bundleID: String, environment: String)] {
        try withDatabase(configuration) { database in
            let key = try configuration.presentMasterKey()
            let dropped = try database.write { try SealedKeys(ledger: $0, sealer: Sealer(key)).dropUnreadable() }
            return dropped.map { ($0.app.bundleID, $0.key.environment.rawValue) }
        }
    }

    private static func withDatabase<Result>(
        _ configuration: ServerConfiguration, _ body: (SQLiteDatabase) throws -> Result
    ) throws -> Result {
        let lock = try configuration.lockDatabase()
        defer { withExtendedLifetime(lock) {} }
        let database = try configuration.openDatabase()
        defer { try? database.close() }
        return try body(database)
    }
}

extension ServerConfiguration {
    fileprivate func presentMasterKey() throws -> MasterKey {
        if let masterKey { return try MasterKey(text: masterKey.text) }
        if let masterKeyFile { return try MasterKeyFile.key(at: masterKeyFile, mayMake: false) }
        return switch database {
        case .sqlite(let path): try MasterKeyFile.key(at: path + ".master-key", mayMake: true)
        }
    }
}
