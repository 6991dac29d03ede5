import ArgumentParser

struct TestDeviceList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the app's test devices.")

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", "/v1/test-devices"), of: "testDevices", columns: ["name", "device", "user"],
            asJSON: server.json)
    }
}
