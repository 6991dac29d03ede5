import ArgumentParser
import EyotLab

/// The kill switch, in whatever size: what the commands that turn it have in common.
enum HaltSwitch {
    static func halt(_ what: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: "halt", abstract: "Send nothing any more for \(what), until it is resumed.",
            discussion: "Declarations are taken meanwhile. What is on its way to Apple arrives.")
    }

    /// Turns it on or off and prints what is so now.
    static func turn(_ verb: String, _ kind: String, _ name: String, _ server: ServerOptions) async throws {
        Output.value(try await server.call("POST", APIClient.path("v1", kind, name, verb)), asJSON: server.json)
    }
}
