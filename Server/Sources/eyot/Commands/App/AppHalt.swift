import ArgumentParser

struct AppHalt: AsyncParsableCommand {
    static let configuration = HaltSwitch.halt("an app")

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @OptionGroup var server: ServerOptions

    func run() async throws { try await HaltSwitch.turn("halt", "apps", bundleID, server) }
}
