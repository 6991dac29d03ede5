import ArgumentParser
import EyotContract

struct MemberRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a member's role in an app, or its ownership.",
        discussion: "eyot member revoke ana@example.org --app com.example.match")

    @Argument(help: "The member's name.")
    var name: String

    @Option(help: "The bundle identifier of the app.")
    var app: String?

    @Flag(help: "Take the ownership of all apps.")
    var owner = false

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        guard owner == (app == nil) else { throw ValidationError("Give either --app or --owner.") }
        try MemberCommand.tool("revoke", settings).revoke(name, in: app)
        Output.value(["member": .string(name), "state": "revoked"], asJSON: json)
    }
}
