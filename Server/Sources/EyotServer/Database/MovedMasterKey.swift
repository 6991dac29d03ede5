import EyotCommands
import EyotDomain
import EyotStore
import Foundation

/// The master key that the target of a move needs, which no move copies.
package struct MovedMasterKey: Sendable {
    /// Where the key was found that opens the secrets.
    package enum Place: Sendable, Hashable {
        /// Nothing is sealed.
        case notNeeded
        /// A setting gives it.
        case setting(String)
        /// The file beside the target, where its server looks for it.
        case besideTarget(String)
        /// The file beside the source. It has to be copied.
        case besideSource(String)
        /// No key is named, so nothing was checked.
        case unknown
    }

    /// The ids of the master keys that have sealed something.
    package let ids: [String]
    package let place: Place

    /// Checks that the key that the target will use opens the secrets of the source.
    ///
    /// - Throws: ``SealError`` if it does not.
    init(
        of ledger: any Ledger, from source: ServerConfiguration.Database, to target: ServerConfiguration.Database,
        _ configuration: ServerConfiguration
    ) throws {
        ids = try SealedKeys.masterKeyIDs(in: ledger).sorted()
        guard !ids.isEmpty else {
            place = .notNeeded
            return
        }
        let key: MasterKey
        if let given = configuration.masterKey {
            (key, place) = (try MasterKey(text: given.text), .setting(Setting.masterKey.variable))
        } else if let path = configuration.masterKeyFile {
            key = try MasterKeyFile.key(at: path, mayMake: false)
            place = .setting("\(Setting.masterKeyFile.variable) (\(path))")
        } else if let path = target.masterKeyPath {
            (key, place) = (try MasterKeyFile.key(at: path, mayMake: false), .besideTarget(path))
        } else if let path = source.masterKeyPath {
            (key, place) = (try MasterKeyFile.key(at: path, mayMake: false), .besideSource(path))
        } else {
            place = .unknown
            return
        }
        try SealedKeys(ledger: ledger, sealer: Sealer(key)).check()
    }
}

extension ServerConfiguration.Database {
    /// The master key beside the file of a database; nil if there is none.
    fileprivate var masterKeyPath: String? {
        guard case .sqlite(let path) = self, case let key = ServerConfiguration.masterKeyPath(of: path),
            FileManager.default.fileExists(atPath: key)
        else { return nil }
        return key
    }
}
