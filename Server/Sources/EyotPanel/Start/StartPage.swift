import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The form that starts an activity: the type, then the audience and the state, and a dry run before anything is sent.
struct StartPage {
    let panel: Panel

    var routes: [Route] {
        [
            panel.page("/panel/start", query: ["type", "definition"], needs: [.activitiesStart]) { visit in
                var draft = Draft(type: visit.call.query["type"], definition: visit.call.query["definition"])
                try await draft.readChoices(for: visit)
                return show(draft, for: visit)
            },
            panel.form("/panel/start", needs: [.activitiesStart]) { visit, fields in
                try await act(fields, for: visit)
            },
        ]
    }

    /// What the form stands on, and what was typed into it.
    struct Draft {
        var type: String?
        var definition: String?
        var attributes = SchemaForm("attributes", nil)
        var state = SchemaForm("contentState", nil)
        var hasSchema = false
        var types: [String] = []
        var definitions: [String] = []
        var segments: [String] = []
        /// The definition that is used, as the API answers it.
        var chosen: JSONValue?
        var typed: FormFields?
        var fault = FormFault()
        var dryRun: DryRunView?
        var count: AudienceCountView?

        init(type: String?, definition: String?) {
            self.type = type.flatMap { $0.isEmpty ? nil : $0 }
            self.definition = definition.flatMap { $0.isEmpty ? nil : $0 }
        }

        /// The names of the fields, by which errors of the API find them.
        var names: Set<String> {
            let leaves = [attributes, state].flatMap { form in form.leaves.map { $0.map(form.name) } ?? [form.root] }
            return Set(leaves + AlertFields.names + ["name", "audience", "parameters", "type"])
        }
    }

    private func act(_ fields: FormFields, for visit: Visit) async throws -> Answer {
        var draft = Draft(type: fields["type"], definition: fields["definition"])
        draft.typed = fields
        try await draft.readChoices(for: visit)
        do {
            let audience = try AudienceFields.audience(fields)
            if fields["step"] == "count" {
                var body = JSONObject([("audience", audience)])
                body["type"] = draft.type.map(JSONValue.string)
                let answer = try await visit.ask(LocalCall(.post, "/v1/audiences/count", json: .object(body)))
                draft.count = AudienceCountView(answer.json ?? .null)
                return show(draft, for: visit)
            }
            let name = try fields.required("name")
            let step = fields["step"] == "all" ? DeclareStep.all : .dry
            var call = try step.call(
                "start", ActivityPath(name), Self.body(fields, draft, audience), testDevice: nil, seen: nil)
            // A second press of the button, or a reload, finds that the activity runs.
            if fields["running"] == nil { call.headers[.ifNoneMatch] = "*" }
            let answer = try await visit.ask(call)
            if step == .all { return visit.redirect(to: ActivityPath(name).page, saying: .started) }
            draft.dryRun = DryRunView(answer.json ?? .null)
        } catch let faults as FieldFaults {
            draft.fault = FormFault(faults)
        } catch let error as EyotError {
            draft.fault = FormFault(Problem(error), known: draft.names)
        } catch let problem as Problem {
            draft.fault = FormFault(problem, known: draft.names)
        }
        return show(draft, for: visit)
    }

    private static func body(_ fields: FormFields, _ draft: Draft, _ audience: JSONValue) throws -> JSONObject {
        var body = JSONObject([("audience", audience)])
        if let definition = draft.definition {
            body["definition"] = .string(definition)
            body["parameters"] = try SchemaForm("parameters", nil).read(fields, over: nil)
        } else {
            body["type"] = draft.type.map(JSONValue.string)
            body["attributes"] = try draft.attributes.read(fields, over: nil)
            body["contentState"] = try draft.state.read(fields, over: nil)
        }
        if let alert = AlertFields.alert(fields) { body["alert"] = alert }
        return body
    }

    private func show(_ draft: Draft, for visit: Visit) -> Answer {
        visit.show("Start an activity", "start", StartView(draft, for: visit))
    }
}

extension StartPage.Draft {
    /// Reads the types, definitions and segments of the app, and the schema of the type.
    mutating func readChoices(for visit: Visit) async throws {
        let overview = try await visit.read("/v1/overview")
        let running = ["activities", "others", "planned"].flatMap { overview.at($0)?.objects ?? [] }
        var names = Set(running.compactMap { $0.at("type")?.string })
        if visit.may(.typesRead) {
            names.formUnion(
                (try await visit.read("/v1/types").at("types")?.objects ?? []).compactMap { $0.at("type")?.string })
        }
        types = names.subtracting(["*"]).sorted()
        if visit.may(.definitionsRead) {
            let all = try await visit.read("/v1/definitions", ["limit": "200"]).at("definitions")?.objects ?? []
            definitions = all.compactMap { $0.at("name")?.string }
            chosen = all.first { $0.at("name")?.string == definition }
            if type == nil { type = chosen?.at("declaration", "type")?.string }
        }
        if visit.may(.peopleRead) {
            let all = try await visit.read("/v1/segments", ["limit": "200"]).at("segments")?.objects ?? []
            segments = all.compactMap { $0.at("name")?.string }
        }
        guard let schema = try await TypeSchemas.newest(of: type, for: visit) else { return }
        hasSchema = true
        attributes = SchemaForm(attributesOf: schema)
        state = SchemaForm("contentState", schema.contentState, types: schema.types)
    }
}
