import ArgumentParser
import EyotLab

struct SegmentSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Save an audience under a name, and replace a segment of the same name.",
        discussion: """
            The members of a segment are read at each use. An accepted start keeps the members of its time.

            eyot segment set early-birds --tag early --tag beta
            """)

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
