import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The form that ends an activity. It wants the name typed, because an end cannot be taken back.
struct EndPage {
    /// When the cards leave the screen.
    private enum Dismissal: String, CaseIterable {
        case phone, now, hour

        var title: String {
            switch self {
            case .phone: "as iOS decides, at most four hours later"
            case .now: "at once"
            case .hour: "in one hour"
            }
        }

        func date(at now: Instant) -> Instant? {
            switch self {
            case .phone: nil
            case .now: now - 60
            case .hour: now + 3_600
            }
        }
    }

    let panel: Panel

    var routes: [Route] {
        [
            panel.page("/panel/activities/{name}/end", needs: [.activitiesUpdate]) { visit in
                show(try await UpdatePage.Draft(visit), for: visit)
            },
            panel.form("/panel/activities/{name}/end", needs: [.activitiesUpdate]) { visit, fields in
                try await act(fields, for: visit)
            },
        ]
    }

    private func act(_ fields: FormFields, for visit: Visit) async throws -> Answer {
        var draft = try await UpdatePage.Draft(visit)
        let newest = draft.seen
        (draft.typed, draft.seen) = (fields, fields["seen"] ?? newest)
        let isDryRun = fields["step"] != "all"
        if fields["step"] == "refresh" {
            draft.seen = newest
            return show(draft, for: visit)
        }
        do {
            if !isDryRun { try fields.requireTyped(draft.activity.at("name")?.string ?? "") }
            var body = JSONObject()
            if let state = try Self.state(in: fields, draft) {
                draft.showsState = true
                body["contentState"] = state
            }
            let date = fields["dismissal"].flatMap(Dismissal.init)?.date(at: visit.now)
            body["dismissalDate"] = date.map { .string($0.rfc3339) }
            let step = isDryRun ? DeclareStep.dry : .all
            let answer = try await visit.ask(
                step.call("end", draft.path, body, testDevice: nil, seen: draft.seen))
            guard isDryRun else { return visit.redirect(to: draft.path.page, saying: .ended) }
            draft.dryRun = DryRunView(answer.json ?? .null)
        } catch let faults as FieldFaults {
            draft.fault = FormFault(faults)
        } catch let error as EyotError {
            draft.fault = FormFault(Problem(error), known: Self.names(draft))
        } catch let problem as Problem {
            draft.fault = FormFault(problem, known: Self.names(draft))
        }
        return show(draft, for: visit)
    }

    /// The state that the end carries; nil for none. What was typed over the present state is meant, also without the
    /// mark.
    private static func state(in fields: FormFields, _ draft: UpdatePage.Draft) throws -> JSONValue? {
        let names = draft.form.leaves.map { $0.map(draft.form.name) } ?? [draft.form.root]
        guard fields["state"] != nil || names.contains(where: { fields[$0] != nil }) else { return nil }
        let shown = draft.activity.at("contentState")
        let state = try draft.form.read(fields, over: shown)
        guard fields["state"] != nil || state != shown else { return nil }
        return state
    }

    private static func names(_ draft: UpdatePage.Draft) -> Set<String> {
        let leaves = draft.form.leaves.map { Set($0.map(draft.form.name)) } ?? [draft.form.root]
        return leaves.union(["typed"])
    }

    private struct View {
        var update: UpdateView
        var action: String
        var hasState: Bool
        var dismissals: [UpdateView.Choice]
        var typed: String
        var typedFault: String?
        var isProduction: Bool
    }

    private func show(_ draft: UpdatePage.Draft, for visit: Visit) -> Answer {
        let chosen = draft.typed?["dismissal"] ?? Dismissal.phone.rawValue
        let view = View(
            update: UpdateView(draft, for: visit), action: visit.link("\(draft.path.page)/end"),
            hasState: draft.showsState || draft.typed?["state"] != nil,
            dismissals: Dismissal.allCases.map {
                .init(name: $0.rawValue, title: $0.title, isChosen: $0.rawValue == chosen)
            },
            typed: draft.typed?["typed"] ?? "", typedFault: draft.fault.fields.byField["typed"],
            isProduction: visit.standing.isProduction)
        return visit.show("End", "end", view)
    }
}
