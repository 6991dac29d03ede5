import ArgumentParser

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "List and remove the devices of the app.",
        subcommands: [DeviceList.self, DeviceRemove.self])
}
