import ArgumentParser
import EyotServer
import Foundation

struct MasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "master-key", abstract: "Change the master key that encrypts APNs keys in the database.",
        discussion: "Works on the database in EYOT_DATABASE_URL. Stop the server first.",
        subcommands: [MasterKeyRotate.self, MasterKeyDrop.self])

    /// Returns the settings that `eyot serve` would use.
    static func settings() throws -> ServerConfiguration {
        try ServerConfiguration(SettingValues(flags: [:], environment: ProcessInfo.processInfo.environment))
    }
}
