import ArgumentParser
import EyotContract

struct MemberSignOut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: "End all sessions of a member, and withdraw its link.")

    @Argument(help: "The member's name.")
    var name: String

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let ended = try MemberCommand.tool("sign-out", settings).signOut(name)
        Output.value(["member": .string(name), "ended": .integer(ended)], asJSON: json)
    }
}
