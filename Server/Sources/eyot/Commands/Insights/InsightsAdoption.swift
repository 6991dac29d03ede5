import ArgumentParser
import EyotLab

struct InsightsAdoption: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adoption", abstract: "Print how many devices can show Live Activities, over time.",
        discussion: """
            eyot insights adoption
            eyot insights adoption --bucket week --since 2026-09-01T00:00:00Z
            """)

    @Option(help: "The steps of time: day or week.")
    var bucket: String?

    @OptionGroup var options: InsightOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        try await options.print("/v1/insights/adoption", [("bucket", bucket)], over: "points", from: server) { point in
            let numbers = InsightOptions.numbers(["devices", "activitiesOn", "startToken", "identified"], point)
            return "\(point["at"]?.string?.prefix(10) ?? "")  \(numbers)"
        }
    }
}
