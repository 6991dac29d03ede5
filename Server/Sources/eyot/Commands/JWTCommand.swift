import APNSSender
import ArgumentParser
import EyotContract
import Foundation

struct JWTCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwt", abstract: "Print a provider token for pushes with curl.",
        discussion: "The token is valid for an hour. It allows its holder to push to your app, so keep it secret.")

    @OptionGroup var key: KeyFileOptions

    @Flag(help: "Print a JSON object with the token and its times of issue and expiry.")
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
