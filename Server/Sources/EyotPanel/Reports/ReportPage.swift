import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The report of one activity, to read after the match, to compare, and to print.
struct ReportPage {
    private static let parameters: Set<String> = ["generation", "with"]

    let panel: Panel

    var routes: [Route] {
        [
            panel.page("/panel/reports/{name}", query: Self.parameters) { visit in
                let name = try visit.call.parameter("name")
                let json = try await visit.read(ActivityPath(name).call + "/report", Self.query(visit))
                return visit.show("Report", "report", ReportView(json, for: visit))
            },
            panel.page("/panel/reports/{name}/csv", query: Self.parameters) { try await file($0, "csv") },
            panel.page("/panel/reports/{name}/json", query: Self.parameters) { try await file($0, "json") },
        ]
    }

    private static func query(_ visit: Visit) -> [String: String] {
        var query: [String: String] = [:]
        query["generation"] = visit.call.query["generation"]
        query["compare"] = visit.call.query["with"].flatMap { $0.isEmpty ? nil : $0 }
        return query
    }

    /// The report as a file.
    private func file(_ visit: Visit, _ format: String) async throws -> Answer {
        let name = try visit.call.parameter("name")
        var query = Self.query(visit)
        query["format"] = format
        let found = try await visit.ask(LocalCall(.get, ActivityPath(name).call + "/report", query: query))
        return .file(
            found.text ?? found.json?.indentedText ?? "", named: "report.\(format)",
            type: format == "csv" ? "text/csv; charset=utf-8" : "application/json")
    }
}
