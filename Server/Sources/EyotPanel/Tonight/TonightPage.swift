import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The first page: what runs, worst first.
struct TonightPage {
    static let topic = "tonight"

    let panel: Panel

    var routes: [Route] {
        [
            panel.page("/panel") { visit in
                visit.show("Tonight", "tonight", try await view(for: visit), live: Self.topic)
            }
        ]
    }

    /// Reads the fragments of the open pages.
    func look(for visit: Visit) -> LiveHub.Look {
        { [LiveFragment(id: "tonight", html: Templates.render(try await view(for: visit), "tonight.table"))] }
    }

    private struct View {
        struct Row {
            var name: String
            var link: String
            var version: Int
        }

        var rows: [Row]
    }

    private func view(for visit: Visit) async throws -> View {
        let json = try await visit.read("/v1/activities", ["limit": "100"])
        let rows = json.object?["activities"]?.array ?? []
        return View(
            rows: rows.compactMap(\.object).compactMap { row in
                guard let name = row["name"]?.string else { return nil }
                return View.Row(
                    name: name, link: visit.link("/panel/activities/\(PercentEncoding.encoded(name))"),
                    version: row["version"]?.integer ?? 0)
            })
    }
}

extension Templates {
    static let tonight = [
        "tonight": """
        <h1>Tonight</h1><section id="tonight">{{>tonight.table}}</section>
        """,
        "tonight.table": """
        <table><thead><tr><th scope="col">Activity</th><th scope="col">Version</th></tr></thead><tbody>
        {{#rows}}<tr><td class="name"><a href="{{link}}">{{name}}</a></td><td>{{version}}</td></tr>{{/rows}}
        </tbody></table>
        """,
    ]
}
