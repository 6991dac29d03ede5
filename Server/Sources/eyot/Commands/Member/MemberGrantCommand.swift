import ArgumentParser
import EyotContract

struct MemberGrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Give a member a role in an app, instead of the one it has there.",
        discussion: """
            If the role reaches further than those who could make links for the member before, its password, sessions and \
            second factor end. A link is printed then.

            eyot member grant ana@example.org --app com.example.match --role admin --production
            """)

    @Argument(help: "The member's name.")
    var name: String

    @OptionGroup var grant: GrantOptions

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let (role, app) = try grant.wanted()
        let link = try MemberCommand.tool("grant", settings).grant(
            name, role, in: app, hasProduction: grant.production)
        var object = JSONObject([("member", .string(name)), ("role", .string(role.rawValue))])
        object["app"] = app.map(JSONValue.string)
        object["link"] = link.map(JSONValue.string)
        Output.value(.object(object), asJSON: json)
    }
}
