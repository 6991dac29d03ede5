import ArgumentParser

struct ActivityJoinSecret: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join-secret", abstract: "Let phones join a private activity that show a secret.",
        subcommands: [ActivityJoinSecretCreate.self, ActivityJoinSecretShow.self, ActivityJoinSecretRemove.self])
}
