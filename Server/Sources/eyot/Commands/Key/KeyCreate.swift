import ArgumentParser
import EyotContract
import EyotHTTP
import EyotServer
import EyotVendors
import Foundation

struct KeyCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an API key and show it once.",
        discussion: """
            --operator creates the first key of a new installation. It opens the database in EYOT_DATABASE_URL, and \
            fails if an operator's key exists. Add --replace if the operator's key is lost. The new key then replaces \
            all operator's keys. The options, variables and file of `eyot serve` hold for it. The server creates all \
            other keys.

            --plane creates a key for the API of another vendor, which this server then answers. The identifier that \
            is shown with the key belongs to it: Airship's app key, or Braze's app id.

            eyot key create --name ci --scope activities:read
            """)

    @Flag(help: "Create the operator's first key, which declares apps.")
    var `operator` = false

    @Flag(help: "With --operator: revoke all existing operator's keys.")
    var replace = false

    @Option(help: "The purpose of the key. Needed without --operator.")
    var name: String?

    @Option(help: "The API that the key is for: eyot, or one of \(Vendors.all.map(\.name).joined(separator: ", ")).")
    var plane: String?

    @Option(
        help: """
            The identifier that callers already use: Braze's app id or Airship's app key. (default: created by the \
            server)
            """)
    var identifier: String?

    @Option(
        help: """
            With --plane airship: a PEM file with an ES384 public key. The holder of its private key gets tokens at \
            /token.
            """)
    var publicKey: String?

    @Option(
        help: """
            A scope of the key, for example activities:read. Repeat it to add scopes. (default: the scopes of your \
            key)
            """)
    var scope: [String] = []

    @Option(help: "When the key expires, for example 2027-01-01T00:00:00Z. (default: never)")
    var expires: String?

    @Option(
        help: """
            An address or range from which the key works, for example 203.0.113.0/24. Repeat it to add more. (default: \
            the addresses of your key)
            """)
    var address: [String] = []

    @Option(
        help: """
            sandbox or production: limit the key to devices of this environment. The key can then only read and \
            declare.
            """)
    var environment: String?

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @OptionGroup var server: ServerOptions

    func run() async throws {
        if self.operator {
            let key = try await OperatorKey.create(settings.configuration(), replacing: replace)
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
