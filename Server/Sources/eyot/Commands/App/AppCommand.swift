import ArgumentParser

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Declare apps and their APNs keys.",
        subcommands: [
            AppCreate.self, AppList.self, AppAPNSKey.self, AppKeyCommand.self, AppPrivacy.self, AppRename.self,
            AppHalt.self, AppResume.self, AppRemove.self,
        ])
}
