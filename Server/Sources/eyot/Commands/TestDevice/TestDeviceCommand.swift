import ArgumentParser

struct TestDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-device", abstract: "Name phones to try things out on: \"my phone\".",
        subcommands: [TestDeviceSet.self, TestDeviceList.self, TestDeviceRemove.self])
}
