import ArgumentParser
import EyotCommands
import EyotContract
import EyotLab

/// The time that numbers are about, and their form.
struct InsightOptions: ParsableArguments {
    @Option(help: "The beginning, such as 2026-11-01T00:00:00Z.")
    var since: String?

    @Option(help: "The end. Without it, now.")
    var until: String?

    @Flag(help: "Print a table for spreadsheets, a line for each number.")
    var csv = false

    /// Calls a path and prints the answer.
    ///
    /// - Parameters:
    ///   - conditions: Further parameters.
    ///   - entries: The member with the numbers over time.
    ///   - line: An entry for a person.
    func print(
        _ path: String, _ conditions: [(String, String?)] = [], over entries: String, from server: ServerOptions,
        _ line: (JSONObject) -> String
    ) async throws {
        let query = (conditions + [("since", since), ("until", until)]).compactMap { name, value in
            value.map { "\(name)=\(APIClient.path($0).dropFirst())" }
        }
        let answer = try await server.call("GET", query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))")
        guard !csv else { return Output.out(String(ReportTable(answer, over: entries).text.dropLast())) }
        guard !server.json else { return Output.out(answer.text) }
        for warning in answer.object?["warnings"]?.array ?? [] { Output.err(warning.string ?? "") }
        for entry in (answer.object?[entries]?.array ?? []).compactMap(\.object) { Output.out(line(entry)) }
    }

    /// Some numbers of an entry with their names.
    static func numbers(_ names: [String], _ entry: JSONObject?) -> String {
        names.map { "\($0) \(entry?[$0]?.text ?? "0")" }.joined(separator: ", ")
    }
}
