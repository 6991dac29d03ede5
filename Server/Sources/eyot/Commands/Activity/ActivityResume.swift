import ArgumentParser

struct ActivityResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume the pushes of a halted activity with its newest state.")

    @Argument(help: "The activity's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws { try await HaltSwitch.turn("resume", "activities", name, server) }
}
