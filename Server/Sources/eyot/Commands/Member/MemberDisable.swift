import ArgumentParser
import EyotContract

struct MemberDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Keep a member from signing in, and end its sessions.")

    @Argument(help: "The member's name.")
    var name: String

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        try MemberCommand.tool("disable", settings).setDisabled(true, name)
        Output.value(["member": .string(name), "state": "disabled"], asJSON: json)
    }
}
