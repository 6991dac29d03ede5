import ArgumentParser

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Create and manage apps and their keys.",
        subcommands: [
            AppCreate.self, AppList.self, AppAPNSKey.self, AppKeyCommand.self, AppPrivacy.self, AppRename.self,
            AppHalt.self, AppResume.self, AppRemove.self,
        ])
}
