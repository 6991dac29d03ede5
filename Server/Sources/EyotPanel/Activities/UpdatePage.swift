import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes

/// The form that declares a new state of an activity, step by step.
struct UpdatePage {
    let panel: Panel

    var routes: [Route] {
        [
            panel.page("/panel/activities/{name}/update", needs: [.activitiesUpdate]) { visit in
                try await show(Draft(visit), for: visit)
            },
            panel.form("/panel/activities/{name}/update", needs: [.activitiesUpdate]) { visit, fields in
                try await act(fields, for: visit)
            },
        ]
    }

    /// What the form stands on: the activity, its schema, and the test devices.
    struct Draft {
        let path: ActivityPath
        let activity: JSONValue
        let form: SchemaForm
        let testDevices: [String]
        var typed: FormFields?
        var fault = FormFault()
        var dryRun: DryRunView?
        /// What was sent, while the form stays open for the next step.
        var sent: String?
        /// What was declared meanwhile, beside what was typed.
        var changes: [StoryLine.Change] = []
        /// Whether an end carries the state of the form.
        var showsState = false
        /// Generation and version that are on the screen.
        var seen: String

        init(_ visit: Visit) async throws {
            path = ActivityPath(try visit.call.parameter("name"))
            activity = try await visit.read(path.call)
            let schema = try await TypeSchemas.newest(of: activity.at("type")?.string, for: visit)
            form = SchemaForm("contentState", schema?.contentState, types: schema?.types ?? [:])
            testDevices = try await TestDevices.names(for: visit)
            seen = "\(activity.count("generation"))-\(activity.count("version"))"
        }
    }

    private func act(_ fields: FormFields, for visit: Visit) async throws -> Answer {
        var draft = try await Draft(visit)
        let newest = draft.seen
        (draft.typed, draft.seen) = (fields, fields["seen"] ?? newest)
        let step = fields["step"].flatMap(DeclareStep.init(rawValue:)) ?? .dry
        if fields["step"] == "refresh" {
            draft.seen = newest
            return try await show(draft, for: visit)
        }
        do {
            let body = try Self.body(fields, draft)
            let call = try step.call(
                "update", draft.path, body, testDevice: fields["testDevice"], seen: draft.seen)
            let answer = try await visit.ask(call)
            switch step {
            case .dry: draft.dryRun = DryRunView(answer.json ?? .null)
            case .test:
                draft.seen = "\(answer.json?.count("generation") ?? 0)-\(answer.json?.count("version") ?? 0)"
                draft.sent = "Version \(answer.json?.count("version") ?? 0) is on its way to the test device."
            case .canary: return visit.redirect(to: draft.path.page, saying: .canary)
            case .all: return visit.redirect(to: draft.path.page, saying: .declared)
            }
        } catch let faults as FieldFaults {
            draft.fault = FormFault(faults)
        } catch let error as EyotError {
            draft.fault = FormFault(Problem(error), known: Self.names(draft))
        } catch let problem as Problem {
            draft.fault = FormFault(problem, known: Self.names(draft))
            if draft.fault.isConflict {
                let now = draft.activity.at("contentState")
                draft.changes = StoryLine.changes(from: try? draft.form.read(fields, over: now), to: now)
            }
        }
        return try await show(draft, for: visit)
    }

    private static func body(_ fields: FormFields, _ draft: Draft) throws -> JSONObject {
        var body = JSONObject()
        body["contentState"] = try draft.form.read(fields, over: draft.activity.at("contentState"))
        body["alert"] = AlertFields.alert(fields)
        if fields["urgent"] != nil { body["urgent"] = true }
        return body
    }

    private static func names(_ draft: Draft) -> Set<String> {
        let leaves = draft.form.leaves.map { Set($0.map(draft.form.name)) } ?? [draft.form.root]
        return leaves.union(AlertFields.names + ["testDevice"])
    }

    private func show(_ draft: Draft, for visit: Visit) async throws -> Answer {
        let view = UpdateView(draft, for: visit)
        return visit.show("Update", "update", view)
    }
}
