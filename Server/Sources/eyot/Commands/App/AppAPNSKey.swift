import ArgumentParser

struct AppAPNSKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns-key", abstract: "Set and list the APNs keys of an app.",
        subcommands: [AppAPNSKeySet.self, AppAPNSKeyList.self])
}
