import ArgumentParser
import EyotLab
import Foundation

struct IdentityKeySet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key-set", abstract: "Store a public key of the backend that signs who users are.",
        discussion: "The first one asks every phone that names a user for a proof from then on.")

    @Argument(help: "A name for it, such as 2026-11.")
    var id: String

    @Option(help: "The PEM file of an RSA key of at least 2,048 bits, or of a P-256 key.")
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
