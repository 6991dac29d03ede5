import EyotCommands
import EyotDomain
import EyotSQLite
import EyotStore
import Foundation

/// A restore: a copy becomes the database of a server that has none. Each of its apps begins halted.
package struct RestoreDatabase {
    /// What the restored database has due in an app.
    package struct Restored: Sendable {
        package var bundleID: String
        package var account: AdoptBackup.Account
    }

    private static let route = "eyot database restore"

    private let configuration: ServerConfiguration

    package init(_ configuration: ServerConfiguration) {
        self.configuration = configuration
    }

    /// Restores a copy. The database gets its name when everything else is done, so a restore that fails leaves
    /// nothing.
    ///
    /// - Throws: ``StoreError``, ``StartFault``, ``SettingError`` and ``SealError``.
    package func callAsFunction(from path: String) throws -> [Restored] {
        let target = try configuration.requireDatabaseFile()
        if let fault = StartFault.database(at: target) { throw fault }
        let lock = try configuration.lockDatabase()
        defer { withExtendedLifetime(lock) {} }
        for taken in [target, target + "-wal"] where FileManager.default.fileExists(atPath: taken) {
            throw StartFault.databaseExists(taken)
        }
        let temporary = target + ".restoring"
        for suffix in ["", "-wal", "-shm"] { unlink(temporary + suffix) }
        defer { for suffix in ["", "-wal", "-shm"] { unlink(temporary + suffix) } }
        _ = try DatabaseCopy.write(path, to: temporary)
        let restored = try SQLiteDatabase(path: temporary).closing(adopt)
        try FileManager.default.moveItem(atPath: temporary, toPath: target)
        return restored
    }

    /// Compares the master key with a migrated copy's, halts the apps and judges the starts.
    private func adopt(_ database: SQLiteDatabase) throws -> [Restored] {
        let key = try configuration.readMasterKey(of: database)
        try database.read { try SealedKeys(ledger: $0, sealer: Sealer(key)).check() }
        // One moment for all: a start that becomes due meanwhile has not left either.
        let now = AdjustableClock().now
        func step<Result>(_ body: (AdoptBackup) throws -> Result) throws -> Result {
            try database.write { try body(AdoptBackup(Transaction($0, at: now))) }
        }
        let apps = try step { try $0.halt(route: Self.route) }
        while try step({ try $0.processLists() }) {}
        var accounts: [AppID: AdoptBackup.Account] = [:]
        var place = AdoptBackup.Place()
        while let found = try step({ try $0.judge(from: &place) }) {
            for (app, account) in found { accounts[app, default: .init()] += account }
        }
        return apps.map { Restored(bundleID: $0.bundleID, account: accounts[$0.id] ?? AdoptBackup.Account()) }
    }
}
