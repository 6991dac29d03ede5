import ArgumentParser

struct ActivityJoinSecret: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join-secret", abstract: "Manage the secret with which devices join a private activity.",
        subcommands: [ActivityJoinSecretCreate.self, ActivityJoinSecretShow.self, ActivityJoinSecretRemove.self])
}
