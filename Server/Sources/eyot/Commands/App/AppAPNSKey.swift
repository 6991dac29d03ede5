import ArgumentParser

struct AppAPNSKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns-key", abstract: "Give an app the keys with which Apple knows it.",
        subcommands: [AppAPNSKeySet.self, AppAPNSKeyList.self])
}
