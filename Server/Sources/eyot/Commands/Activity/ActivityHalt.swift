import ArgumentParser

struct ActivityHalt: AsyncParsableCommand {
    static let configuration = HaltSwitch.halt("an activity")

    @Argument(help: "The activity's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws { try await HaltSwitch.turn("halt", "activities", name, server) }
}
