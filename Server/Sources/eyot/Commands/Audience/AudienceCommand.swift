import ArgumentParser

struct AudienceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience", abstract: "See whom an audience holds before anything is sent.",
        subcommands: [AudienceCountCommand.self])
}
