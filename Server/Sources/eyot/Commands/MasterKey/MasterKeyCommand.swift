import ArgumentParser
import EyotServer
import Foundation

struct MasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "master-key", abstract: "Change the key that seals APNs keys in the database.",
        discussion: "Works on the database that EYOT_DATABASE_URL names, while no server runs with it.",
        subcommands: [MasterKeyRotate.self, MasterKeyDrop.self])

    /// Returns the settings that `eyot serve` would use.
    static func settings() throws -> ServerConfiguration {
        try ServerConfiguration(SettingValues(flags: [:], environment: ProcessInfo.processInfo.environment))
    }
}
