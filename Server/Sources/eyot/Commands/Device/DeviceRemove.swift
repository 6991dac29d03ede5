import ArgumentParser
import EyotContract
import EyotLab

struct DeviceRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove devices of the app, with all their data.",
        discussion: """
            Their cards end. An app that is still installed registers again as a new device. Count the devices first \
            with `eyot audience count`.

            eyot device remove 42
            """)

    @Argument(help: "The id of a device. Without it, name an audience.")
    var id: String?

    @OptionGroup var audience: AudienceOptions
    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard (id == nil) != (audience.value == nil) else {
            throw ValidationError("Name one phone, or an audience: --all, --tag, --user or --audience.")
        }
    }

    func run() async throws {
        if let id {
            _ = try await server.call("DELETE", APIClient.path("v1", "devices", id))
            return Output.value(["removed": 1], asJSON: server.json)
        }
        var removed = 0
        var hasMore = true
        while hasMore {
            let answer = try await server.call(
                "POST", "/v1/devices/remove", body: ["audience": audience.value ?? .null])
            removed += answer.object?["removed"]?.integer ?? 0
            hasMore = answer.object?["hasMore"] == true
        }
        Output.value(["removed": .integer(removed)], asJSON: server.json)
    }
}
