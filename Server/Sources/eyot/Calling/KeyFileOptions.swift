import APNSSender
import ArgumentParser
import EyotContract
import Foundation

/// Options for an APNs key in a file.
struct KeyFileOptions: ParsableArguments {
    @Option(help: "The .p8 file from developer.apple.com.")
    var p8: String

    @Option(help: "The key's ten characters. (default: taken from the file's name, AuthKey_<key id>.p8)")
    var keyID: String?

    @Option(help: "The team's id, ten characters.")
    var teamID: String

    /// Reads the file without checking its content.
    func read() throws -> KeyFile {
        guard let bytes = FileManager.default.contents(atPath: p8) else {
            throw CommandFailure("\(p8) cannot be read: check the path and its permissions")
        }
        return KeyFile(bytes: Array(bytes), keyID: try keyID ?? keyIDOfName, teamID: teamID)
    }

    private var keyIDOfName: String {
        get throws {
            let name = URL(fileURLWithPath: p8).deletingPathExtension().lastPathComponent
            guard name.hasPrefix("AuthKey_") else {
                throw ValidationError("\(p8) does not say its key id; give it with --key-id")
            }
            return String(name.dropFirst("AuthKey_".count))
        }
    }
}

/// The bytes of a key's file, with the ids of key and team.
struct KeyFile {
    let bytes: [UInt8]
    let keyID: String
    let teamID: String

    /// - Throws: `ProviderKeyError`, which describes the file's real content.
    func providerKey() throws -> ProviderKey { try ProviderKey(teamID: teamID, keyID: keyID, p8: bytes) }
}

/// The two environments as command-line words.
enum EnvironmentOption: String, ExpressibleByArgument, CaseIterable {
    case sandbox, production

    var environment: PushEnvironment { self == .sandbox ? .sandbox : .production }
}
