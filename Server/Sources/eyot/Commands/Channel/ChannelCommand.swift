import ArgumentParser

struct ChannelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel", abstract: "See which broadcast channels there are.", subcommands: [ChannelList.self])
}
