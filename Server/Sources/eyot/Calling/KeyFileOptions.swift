import APNSSender
import ArgumentParser
import EyotContract
import Foundation

/// An APNs key in a file.
struct KeyFileOptions: ParsableArguments {
    @Option(help: "The .p8 file from developer.apple.com.")
    var p8: String

    @Option(help: "The key's ten characters. (default: those in the file's name, AuthKey_<key id>.p8)")
    var keyID: String?

    @Option(help: "The team's ten characters.")
    var teamID: String

    /// Reads the file; what is in it is not looked at yet.
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

/// The bytes of a key's file, and what it is called.
struct KeyFile {
    let bytes: [UInt8]
    let keyID: String
    let teamID: String

    /// - Throws: `ProviderKeyError`, which says what the file is instead.
    func providerKey() throws -> ProviderKey { try ProviderKey(teamID: teamID, keyID: keyID, p8: bytes) }
}

/// The two environments as words on the command line.
enum EnvironmentOption: String, ExpressibleByArgument, CaseIterable {
    case sandbox, production

    var environment: PushEnvironment { self == .sandbox ? .sandbox : .production }
}
