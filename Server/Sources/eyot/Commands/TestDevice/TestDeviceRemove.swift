import ArgumentParser
import EyotLab

struct TestDeviceRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the name of a test device. The device stays.")

    @Argument(help: "The name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        _ = try await server.call("DELETE", APIClient.path("v1", "test-devices", name))
        Output.value(["name": .string(name), "state": "removed"], asJSON: server.json)
    }
}
