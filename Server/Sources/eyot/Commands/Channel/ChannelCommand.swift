import ArgumentParser

struct ChannelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel", abstract: "Show the broadcast channels of the app.",
        subcommands: [ChannelList.self])
}
