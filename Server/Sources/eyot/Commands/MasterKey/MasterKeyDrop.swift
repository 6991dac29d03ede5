import ArgumentParser
import EyotContract
import EyotServer

struct MasterKeyDrop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Remove the APNs keys whose master key is lost.",
        discussion: "They have to be stored anew, with `eyot app apns-key set`. Everything else stays.")

    @Flag(help: "Do it: what is removed does not come back.")
    var yes = false

    @Flag(help: "Print one object.")
    var json = false

    func validate() throws {
        guard yes else { throw ValidationError("Keys that do not open are removed for good: say --yes.") }
    }

    func run() async throws {
        let dropped = try MasterKeys.drop(MasterKeyCommand.settings())
        Output.list(
            [
                "dropped": .array(
                    dropped.map { ["bundleID": .string($0.bundleID), "environment": .string($0.environment)] })
            ], of: "dropped", columns: ["bundleID", "environment"], asJSON: json)
    }
}
