import ArgumentParser
import EyotContract

struct MemberLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Print a new link for a member, which replaces the former one.",
        discussion: """
            With the link the member chooses another password. All sessions of the member end then. A member that signs in by \
            a provider or a proxy has no password: with --sign-in the link lets it in once, also while the provider is down.

            eyot member link ana@example.org
            """)

    @Argument(help: "The member's name.")
    var name: String

    @Flag(help: "Only sign in with the link, and leave the password as it is.")
    var signIn = false

    @Flag(help: "Remove the second factor, because the member's authenticator is lost.")
    var resetTOTP = false

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let link = try MemberCommand.tool("link", settings, makesLink: true).link(
            name, signIn ? .signIn : .password, removesTOTP: resetTOTP)
        Output.value(["member": .string(name), "link": .string(link)], asJSON: json)
    }
}
