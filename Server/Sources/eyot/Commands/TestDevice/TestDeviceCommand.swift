import ArgumentParser

struct TestDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-device", abstract: "Name devices for tests, for example \"my phone\".",
        subcommands: [TestDeviceSet.self, TestDeviceList.self, TestDeviceRemove.self])
}
