import ArgumentParser
import EyotContract
import EyotLab

struct InsightsEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Count events by kind and reason over time.",
        discussion: """
            Prints the totals of the range. With --series it prints each hour or day.

            eyot insights events --type 'card.*' --bucket hour
            eyot insights events --activity final-2022 --series
            """)

    @Option(
        name: .customLong("type"), help: "Only these events, separated by commas, such as card.dismissed or card.*.")
    var types: String?

    @Option(help: "Only events of this activity, in all of its generations.")
    var activity: String?

    @OptionGroup var range: RangeOptions

    @Option(help: "The length of a step: hour or day. (default: day)")
    var bucket: String?

    @Flag(help: "Print each hour or day instead of the totals.")
    var series = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let path = PageOptions.path(
            "/v1/insights/events",
            [("types", types), ("activity", activity), ("bucket", bucket)] + range.conditions)
        let body = try await server.call("GET", path)
        guard !server.json else { return Output.out(body.text) }
        let rows = body.object?["events"]?.array ?? []
        guard series else {
            return Output.list(
                ["events": .array(rows)], of: "events", columns: ["type", "reason", "total"], asJSON: false)
        }
        let points = rows.flatMap { row in
            (row.object?["series"]?.array ?? []).map { point in
                var object = point.object ?? JSONObject()
                (object["type"], object["reason"]) = (row.object?["type"], row.object?["reason"])
                return JSONValue.object(object)
            }
        }
        Output.list(
            ["events": .array(points)], of: "events", columns: ["at", "type", "reason", "count"], asJSON: false)
    }
}

/// Options for a range of time.
struct RangeOptions: ParsableArguments {
    @Option(help: "Where the range begins, such as 2026-11-26T18:00:00Z.")
    var since: String?

    @Option(help: "Where the range ends. (default: now)")
    var until: String?

    var conditions: [(String, String?)] { [("since", since), ("until", until)] }
}
