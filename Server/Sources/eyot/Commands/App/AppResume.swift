import ArgumentParser

struct AppResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume the pushes of an app that was halted, or that Apple's refusals paused.")

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @OptionGroup var server: ServerOptions

    func run() async throws { try await HaltSwitch.turn("resume", "apps", bundleID, server) }
}
