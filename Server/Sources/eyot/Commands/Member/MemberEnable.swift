import ArgumentParser
import EyotContract

struct MemberEnable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Allow a disabled member to sign in again.")

    @Argument(help: "The member's name.")
    var name: String

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        try MemberCommand.tool("enable", settings).setDisabled(false, name)
        Output.value(["member": .string(name), "state": "enabled"], asJSON: json)
    }
}
