import ArgumentParser
import EyotLab
import Foundation

struct IdentityKeySet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key-set", abstract: "Store a public key with which the backend signs proofs of users.",
        discussion: """
            The first key sets the mode to require, unless a mode was set before.

            eyot identity key-set 2026-11 --file identity.pem
            """)

    @Argument(help: "A name for the key, for example 2026-11.")
    var id: String

    @Option(help: "A PEM file with a P-256 key, or with an RSA key of at least 2048 bits.")
    var file: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        Output.value(
            try await server.call(
                "PUT", APIClient.path("v1", "identity", "keys", id), body: ["publicKey": .string(text)]),
            asJSON: server.json)
    }
}
