import ArgumentParser
import EyotLab

struct TestDeviceRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a name away from a test device; the phone itself is not concerned.")

    @Argument(help: "The name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        _ = try await server.call("DELETE", APIClient.path("v1", "test-devices", name))
        Output.value(["name": .string(name), "state": "removed"], asJSON: server.json)
    }
}
