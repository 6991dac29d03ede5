import ArgumentParser

struct IdentityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity", abstract: "Configure how users of the app are proven.",
        subcommands: [
            IdentityShow.self, IdentityMode.self, IdentityTerms.self, IdentityKeySet.self, IdentityKeyRemove.self,
            IdentityFailures.self, IdentityDropUnproven.self,
        ])
}
