import ArgumentParser

struct TypeHalt: AsyncParsableCommand {
    static let configuration = HaltSwitch.halt("a type")

    @Argument(help: "The name of the ActivityAttributes type.")
    var type: String

    @OptionGroup var server: ServerOptions

    func run() async throws { try await HaltSwitch.turn("halt", "types", type, server) }
}
