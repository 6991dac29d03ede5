import ArgumentParser
import EyotLab

struct SegmentSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Save an audience under a name, in place of what had it.",
        discussion:
            "Who belongs is asked whenever the segment is used; a start that was accepted keeps those of its time.")

    @Argument(help: "The segment's name.")
    var name: String

    @OptionGroup var audience: AudienceOptions
    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard audience.value != nil else {
            throw ValidationError("Say the audience: --all, --tag, --user or --audience.")
        }
    }

    func run() async throws {
        let segment = try await server.call(
            "PUT", APIClient.path("v1", "segments", name), body: ["audience": audience.value ?? .null])
        Output.value(segment, asJSON: server.json)
    }
}
