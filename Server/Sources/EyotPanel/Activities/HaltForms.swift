import EyotDomain
import EyotHTTP

/// The buttons that halt and resume an activity. They act at once, because the other one undoes it.
struct HaltForms {
    let panel: Panel

    var routes: [Route] {
        [("halt", Notice.halted), ("resume", Notice.resumed)].map { verb, notice in
            panel.form("/panel/activities/{name}/\(verb)", needs: [.activitiesHalt]) { visit, fields in
                let path = ActivityPath(try visit.call.parameter("name"))
                _ = try await visit.ask(LocalCall(.post, "\(path.call)/\(verb)"))
                return visit.redirect(to: fields["from"] == "tonight" ? "/panel" : path.page, saying: notice)
            }
        }
    }
}
