import ArgumentParser

struct AudienceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience", abstract: "Count the devices of an audience before a start.",
        subcommands: [AudienceCountCommand.self])
}
