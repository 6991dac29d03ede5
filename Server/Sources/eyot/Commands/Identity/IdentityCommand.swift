import ArgumentParser

struct IdentityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity", abstract: "Say how the app's users prove who they are.",
        subcommands: [
            IdentityShow.self, IdentityMode.self, IdentityTerms.self, IdentityKeySet.self, IdentityKeyRemove.self,
            IdentityFailures.self, IdentityDropUnproven.self,
        ])
}
