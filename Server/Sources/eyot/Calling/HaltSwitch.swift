import ArgumentParser
import EyotLab

/// Shared parts of the commands that halt and resume an app, a type or an activity.
enum HaltSwitch {
    static func halt(_ what: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: "halt", abstract: "Stop all pushes for \(what) until it is resumed.",
            discussion: "Declarations are still accepted. Pushes that have already left for Apple still arrive.")
    }

    /// Halts or resumes, and prints the new state.
    static func turn(_ verb: String, _ kind: String, _ name: String, _ server: ServerOptions) async throws {
        Output.value(try await server.call("POST", APIClient.path("v1", kind, name, verb)), asJSON: server.json)
    }
}
