import ArgumentParser
import EyotContract

struct MemberAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a member with a role, and print a link that works once.",
        discussion: """
            The member opens the link within a day and chooses a password. A member that exists gets the role, and a link \
            only if it has to sign in anew. A member that signs in by a provider or a proxy gets none.

            eyot member add ana@example.org --owner
            """)

    @Argument(help: "The login name, or the e-mail address that the OpenID provider verifies.")
    var name: String

    @OptionGroup var grant: GrantOptions

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let (role, app) = try grant.wanted()
        let link = try MemberCommand.tool("add", settings, makesLink: true).add(
            name, role, in: app, hasProduction: grant.production)
        var object = JSONObject([("member", .string(name)), ("role", .string(role.rawValue))])
        object["app"] = app.map(JSONValue.string)
        object["link"] = link.map(JSONValue.string)
        Output.value(.object(object), asJSON: json)
    }
}
