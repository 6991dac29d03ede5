import ArgumentParser
import EyotContract
import EyotLab

struct InsightsType: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "type", abstract: "Print what has happened to the cards of a type, by hour.",
        discussion: """
            eyot insights type MatchAttributes
            eyot insights type MatchAttributes --since 2026-11-01T00:00:00Z --csv > november.csv
            """)

    @Argument(help: "The name of the attributes type.")
    var type: String

    @Option(help: "A property of phones by which each hour is divided: os, build, language or environment.")
    var by: String?

    @OptionGroup var options: InsightOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        try await options.print(
            APIClient.path("v1", "insights", "types", type), [("by", by)], over: "hours", from: server
        ) { hour in
            let numbers = InsightOptions.numbers(
                ["targeted", "eligible", "startsAccepted", "appeared", "withToken", "shown", "ended", "dismissed"],
                hour["funnel"]?.object)
            let pushes = InsightOptions.numbers(["updates", "ends"], hour["accepted"]?.object)
            return "\(hour["at"]?.string ?? "")  \(numbers), \(pushes)"
        }
    }
}
