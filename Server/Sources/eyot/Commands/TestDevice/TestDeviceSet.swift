import ArgumentParser
import EyotContract
import EyotLab

struct TestDeviceSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Give a name to a device, or to all devices of a user.",
        discussion: "eyot test-device set 'my phone' --device 1")

    @Argument(help: "The name, for example \"my phone\".")
    var name: String

    @Option(help: "The device's id, as `eyot device list` shows it.")
    var device: String?

    @Option(help: "The user's id in your own system.")
    var user: String?

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard (device == nil) != (user == nil) else {
            throw ValidationError("Say whose phone it is in one way: --device or --user.")
        }
    }

    func run() async throws {
        var body = JSONObject()
        body["device"] = device.map(JSONValue.string)
        body["user"] = user.map(JSONValue.string)
        let path = APIClient.path("v1", "test-devices", name)
        Output.value(try await server.call("PUT", path, body: .object(body)), asJSON: server.json)
    }
}
