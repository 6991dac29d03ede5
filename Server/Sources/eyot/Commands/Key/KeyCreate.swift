import ArgumentParser
import EyotContract
import EyotHTTP
import EyotServer
import EyotVendors
import Foundation

struct KeyCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a key. It is shown this once.",
        discussion: """
            With --operator it makes the first key of a new installation: it opens the database that EYOT_DATABASE_URL \
            names, and works only while there is no operator's key. With --replace it makes one in the place of all \
            that there are, which is what to do when the operator's key is lost. Every other key is made by the server.

            With --plane it is a key for the API of another vendor, which this server then answers. An identifier that is shown with it \
            goes beside the key: Airship's app key, Braze's app id.
            """)

    @Flag(help: "Make the operator's first key, which declares apps.")
    var `operator` = false

    @Flag(help: "With --operator: revoke the operator's keys that there are.")
    var replace = false

    @Option(help: "What the key is for.")
    var name: String?

    @Option(help: "The API that takes it: eyot, or one of \(Vendors.all.map(\.name).joined(separator: ", ")).")
    var plane: String?

    @Option(help: "What callers name beside it already: Braze's app id, Airship's app key. (default: made for you)")
    var identifier: String?

    @Option(
        help: "With --plane airship: a file with a public key for ES384, whose private part then gets tokens at /token."
    )
    var publicKey: String?

    @Option(help: "What it may do, such as activities:read; more than once for more. (default: all that yours may)")
    var scope: [String] = []

    @Option(help: "When it stops to open anything, such as 2027-01-01T00:00:00Z. (default: never)")
    var expires: String?

    @Option(
        help: "An address, or a range such as 203.0.113.0/24, from which alone it works; more than once for more."
    )
    var address: [String] = []

    @Option(help: "sandbox or production, to reach no other phones; it then only declares and reads.")
    var environment: String?

    @OptionGroup var server: ServerOptions

    func run() async throws {
        if self.operator {
            let settings = try SettingValues(flags: [:], environment: ProcessInfo.processInfo.environment)
            let key = try await OperatorKey.create(ServerConfiguration(settings), replacing: replace)
            return Output.value(["key": .string(key.text)], asJSON: server.json)
        }
        guard let name else { throw ValidationError("Say what the key is for, with --name.") }
        guard !replace else { throw ValidationError("--replace is for --operator alone.") }
        var body = JSONObject([("name", .string(name))])
        body["plane"] = plane.map(JSONValue.string)
        body["identifier"] = identifier.map(JSONValue.string)
        if let publicKey {
            guard let text = try? String(contentsOfFile: publicKey, encoding: .utf8) else {
                throw ValidationError("\(publicKey) cannot be read as text.")
            }
            body["publicKey"] = .string(text)
        }
        if !scope.isEmpty { body["scopes"] = .array(scope.map(JSONValue.string)) }
        if !address.isEmpty { body["addresses"] = .array(address.map(JSONValue.string)) }
        body["environment"] = environment.map(JSONValue.string)
        body["expiresAt"] = expires.map(JSONValue.string)
        Output.value(try await server.call("POST", "/v1/keys", body: .object(body)), asJSON: server.json)
    }
}
