import EyotCommands
import EyotDomain
import EyotPostgres
import EyotStore

/// What a restored database has due in an app, which is halted.
package struct RestoredApp: Sendable {
    package var bundleID: String
    package var account: AdoptBackup.Account
}

/// The changes that make a restored database safe to serve with, in transactions of their own.
struct Adoption {
    let configuration: ServerConfiguration
    /// The command, for the record.
    let route: String

    /// Compares the master key with a migrated database's, halts the apps and judges the starts.
    func callAsFunction(_ database: some LedgerDatabase) throws -> [RestoredApp] {
        let second = FormerSecond()
        let key = try configuration.readMasterKey(of: database)
        try database.read { try SealedKeys(ledger: $0, sealer: Sealer(key)).check() }
        // One moment for all: a start that becomes due meanwhile has not left either.
        let now = AdjustableClock().now
        func step<Result>(_ body: (AdoptBackup) throws -> Result) throws -> Result {
            try database.write { try body(AdoptBackup(Transaction($0, at: now))) }
        }
        let history = History.fresh(.restored, at: now)
        let apps = try step { try $0.halt(route: route, beginning: history) }
        while try step({ try $0.processLists() }) {}
        var accounts: [AppID: AdoptBackup.Account] = [:]
        var place = AdoptBackup.Place()
        while true {
            // A transaction may run twice, from the same place.
            let (found, next) = try step { adopt in
                var next = place
                return (try adopt.judge(from: &next), next)
            }
            guard let found else { break }
            place = next
            for (app, account) in found { accounts[app, default: .init()] += account }
        }
        second.pass()
        return apps.map { RestoredApp(bundleID: $0.bundleID, account: accounts[$0.id] ?? AdoptBackup.Account()) }
    }
}

/// The adoption of a database of PostgreSQL that PostgreSQL's own programs have restored. Each of its apps begins
/// halted, as those of a restored file do.
package struct AdoptDatabase {
    private static let route = "eyot database adopt"

    private let configuration: ServerConfiguration

    package init(_ configuration: ServerConfiguration) { self.configuration = configuration }

    /// - Throws: ``StoreError``, also ``StoreError/inUseBy(_:)`` if a server runs with it; ``StartFault``,
    ///   ``SettingError`` and ``SealError``.
    package func callAsFunction() throws -> [RestoredApp] {
        guard case .postgres(let url) = configuration.database else {
            throw StartFault.databaseIsFile(insteadUse: "eyot database restore")
        }
        guard try PostgresDatabase.plan(url).found > 0 else { throw StartFault.databaseMissing(url.description) }
        try PostgresDatabase.requireRest(url)
        return try PostgresDatabase(url).closing { database in
            let apps = try Adoption(configuration: configuration, route: Self.route)(database)
            // The last step, so that a server pushes nothing before all the others are done.
            try database.adopt()
            return apps
        }
    }
}
