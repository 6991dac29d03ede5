import ArgumentParser
import EyotLab

struct ActivityMetrics: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Give an activity metrics of its own.",
        discussion: """
            A server watches at most 20 activities. docs/reference/metrics.md names the metrics.

            eyot activity metrics final-2022
            eyot activity metrics final-2022 --off
            """)

    @Argument(help: "The activity's name.")
    var name: String

    @Flag(help: "End the metrics of the activity.")
    var off = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let path = APIClient.path("v1", "activities", name, off ? "unwatch" : "watch")
        let answer = try await server.call("POST", path)
        Output.out(server.json ? answer.text : off ? "\(name) is no longer watched" : "\(name) is watched")
    }
}
