import ArgumentParser
import EyotCommands
import EyotContract
import EyotLab

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Print what has happened to the cards of an activity, in numbers.",
        discussion: """
            The report is kept after the activity was removed. Accepted says what Apple took, and shown what phones \
            have reported.

            eyot report final-2022
            eyot report final-2022 --csv > final.csv
            eyot report final-2022 --compare final-2018
            """)

    @Argument(help: "The activity's name.")
    var name: String

    @Option(help: "An earlier generation of the name.")
    var generation: Int?

    @Option(help: "Another activity to print beside it.")
    var compare: String?

    @Flag(help: "Print a table for spreadsheets, a line for each number.")
    var csv = false

    @OptionGroup var server: ServerOptions

    func validate() throws {
        if csv, server.json { throw ValidationError("Choose --csv or --json, not both.") }
    }

    func run() async throws {
        let conditions = [
            generation.map { "generation=\($0)" }, compare.map { "compare=\(APIClient.path($0).dropFirst())" },
        ]
        let query = conditions.compactMap(\.self).joined(separator: "&")
        let path = APIClient.path("v1", "activities", name, "report")
        let answer = try await server.call("GET", query.isEmpty ? path : "\(path)?\(query)")
        guard !csv else {
            let reports = [answer] + [answer.object?["comparison"]].compactMap(\.self)
            return Output.out(String(ReportTable(reports).text.dropLast()))
        }
        guard !server.json else { return Output.out(answer.text) }
        for line in Self.text(answer) { Output.out(line) }
    }

    /// The report for a person: the numbers of each part, and beside them those of the other activity.
    static func text(_ answer: JSONValue) -> [String] {
        guard let report = answer.object else { return [] }
        let other = report["comparison"]?.object
        let title = { (report: JSONObject) in "\(report["name"]?.string ?? "") (\(report["state"]?.string ?? ""))" }
        var lines = [([title(report)] + [other.map(title)].compactMap(\.self)).joined(separator: ", beside ")]
        for part in ["funnel", "accepted", "broadcasts", "shown", "dismissed", "alerts"] {
            guard let members = report[part]?.object?.members else { continue }
            lines += ["", part]
            for member in members {
                let beside = other?[part]?.object?[member.name]
                guard let text = number(member.value) else { continue }
                lines.append(
                    "  " + ([member.name, text] + [number(beside)].compactMap(\.self)).joined(separator: "  "))
            }
        }
        return lines
    }

    /// A number as text, or a few numbers with their names; nil for none.
    private static func number(_ value: JSONValue?) -> String? {
        guard let value, value != .null else { return nil }
        guard let members = value.object?.members else { return value.text }
        let shown = members.filter { $0.value != .null && $0.value != 0 }
        return shown.isEmpty ? nil : shown.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
    }
}
