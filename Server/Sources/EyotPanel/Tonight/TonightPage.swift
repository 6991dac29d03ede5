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
                let view = TonightView(try await visit.read("/v1/overview"), for: visit)
                return visit.show("Tonight", "tonight", view, live: Self.topic)
            }
        ]
    }

    /// Reads the fragments of the open pages. The form is no part of them, because it has a viewer's token.
    func look(for visit: Visit) -> LiveHub.Look {
        {
            let view = TonightView(try await visit.read("/v1/overview"), for: visit)
            return [
                LiveFragment(id: "tonight-now", html: Templates.render(view, "tonight.now")),
                LiveFragment(id: "tonight-figures", html: Templates.render(view, "tonight.figures")),
                LiveFragment(id: "tonight-rows", html: Templates.render(view, "tonight.rows")),
                LiveFragment(id: "tonight-planned", html: Templates.render(view, "tonight.planned")),
            ]
        }
    }
}
