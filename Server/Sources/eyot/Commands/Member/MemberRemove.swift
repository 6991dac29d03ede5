import ArgumentParser
import EyotContract

struct MemberRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a member with its roles, sessions and link.")

    @Argument(help: "The member's name.")
    var name: String

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        try MemberCommand.tool("remove", settings).remove(name)
        Output.value(["member": .string(name), "state": "removed"], asJSON: json)
    }
}
