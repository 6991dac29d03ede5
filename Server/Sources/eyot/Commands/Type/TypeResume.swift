import ArgumentParser

struct TypeResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume the pushes of a halted type.")

    @Argument(help: "The name of the ActivityAttributes type.")
    var type: String

    @OptionGroup var server: ServerOptions

    func run() async throws { try await HaltSwitch.turn("resume", "types", type, server) }
}
