import ArgumentParser

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "See which phones are registered, and remove some.",
        subcommands: [DeviceList.self, DeviceRemove.self])
}
