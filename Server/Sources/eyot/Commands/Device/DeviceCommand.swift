import ArgumentParser

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "See which phones are registered.", subcommands: [DeviceList.self])
}
