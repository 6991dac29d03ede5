import ArgumentParser

struct AppResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Send again for an app that was halted, or paused because Apple refused its pushes.")

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @OptionGroup var server: ServerOptions

    func run() async throws { try await HaltSwitch.turn("resume", "apps", bundleID, server) }
}
