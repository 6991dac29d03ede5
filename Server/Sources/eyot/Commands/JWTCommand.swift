import APNSSender
import ArgumentParser
import EyotContract
import Foundation

struct JWTCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwt", abstract: "Print a provider token, for pushing by hand with curl.",
        discussion: "It is good for an hour. Whoever has it can push to your app for as long.")

    @OptionGroup var key: KeyFileOptions

    @Flag(help: "Print an object with the token and the times between which it is good.")
    var json = false

    func run() throws {
        let token = try ProviderToken(key: key.read().providerKey(), now: Date())
        guard json else { return Output.out(token.text) }
        let expiry = token.issuedAt.addingTimeInterval(3_600)
        Output.value(
            [
                "token": .string(token.text), "issuedAt": .string(RFC3339.text(of: token.issuedAt)),
                "expiresAt": .string(RFC3339.text(of: expiry)),
            ], asJSON: true)
    }
}
