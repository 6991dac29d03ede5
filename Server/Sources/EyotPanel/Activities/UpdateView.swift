import EyotContract
import EyotDomain
import EyotHTTP

/// What the form for an update shows.
struct UpdateView {
    struct Choice {
        var name: String
        var title: String
        var isChosen: Bool
    }

    let name: String
    let details: String
    let action: String
    let back: String
    let token: String
    let seen: String
    let fields: [SchemaForm.FieldView]
    let alert: [SchemaForm.FieldView]
    let isUrgent: Bool
    let testDevices: [Choice]
    let hasTestDevices: Bool
    let testFault: String?
    let cards: String
    let app: String
    let fault: String?
    let remedy: String?
    let conflict: String?
    let changes: [StoryLine.Change]
    let hasChanges: Bool
    let dryRun: DryRunView?
    let sent: String?

    init(_ draft: UpdatePage.Draft, for visit: Visit) {
        let raw = draft.activity.at("name")?.string ?? ""
        name = Shown.line(raw)
        let type = draft.activity.at("type")?.string.map { Shown.line($0) } ?? "no type"
        details =
            "\(type) · generation \(draft.activity.count("generation")) · version \(draft.activity.count("version"))"
        (action, back) = (visit.link("\(draft.path.page)/update"), visit.link(draft.path.page))
        (token, seen) = (visit.member.formToken, draft.seen)
        let faults = draft.fault.fields
        fields = draft.form.view(draft.activity.at("contentState"), typed: draft.typed, faults: faults)
        alert = AlertFields.view(draft.typed, faults)
        isUrgent = draft.typed?["urgent"] != nil
        testDevices = draft.testDevices.map {
            Choice(name: $0, title: Shown.line($0), isChosen: draft.typed?["testDevice"] == $0)
        }
        hasTestDevices = !testDevices.isEmpty
        testFault = faults.byField["testDevice"]
        let running = Replica.runningWords.reduce(0) { $0 + draft.activity.count("phases", $1) }
        (cards, app) = (Figures.count(running), Shown.line(visit.seat.app.name))
        fault = draft.fault.isConflict ? nil : draft.fault.sentence.map { Shown.line($0) }
        remedy = draft.fault.isConflict ? nil : draft.fault.remedy
        conflict =
            draft.fault.isConflict
            ? "Version \(draft.activity.count("version")) was declared after you opened this form. Nothing was sent."
            : nil
        (changes, hasChanges) = (Array(draft.changes.prefix(12)), !draft.changes.isEmpty)
        (dryRun, sent) = (draft.dryRun, draft.sent)
    }
}

/// The fields of an alert.
enum AlertFields {
    static let names = ["alert.title", "alert.body"]

    /// The alert that was typed; nil for none.
    static func alert(_ fields: FormFields) -> JSONValue? {
        let (title, body) = (fields[names[0]], fields[names[1]])
        guard title != nil || body != nil else { return nil }
        var alert = JSONObject()
        alert["title"] = title.map(JSONValue.string)
        alert["body"] = body.map(JSONValue.string)
        return .object(alert)
    }

    static func view(_ typed: FormFields?, _ faults: FieldFaults) -> [SchemaForm.FieldView] {
        zip(names, ["Title", "Text"]).map { name, title in
            SchemaForm.FieldView(
                name: name, id: SchemaForm.id(of: name), title: title, value: typed?[name] ?? "",
                fieldFault: faults.byField[name])
        }
    }
}

/// Reads what forms choose from.
enum TestDevices {
    /// The names of the app's test devices; none if the member may not read them.
    static func names(for visit: Visit) async throws -> [String] {
        guard visit.may(.peopleRead) else { return [] }
        return try await visit.read("/v1/test-devices").at("testDevices")?.objects.compactMap { $0.at("name")?.string }
            ?? []
    }
}

enum TypeSchemas {
    /// The schema of a type that was pushed last; nil if there is none, or if the member may not read it.
    static func newest(of type: String?, for visit: Visit) async throws -> ActivitySchema? {
        guard let type, !type.isEmpty, visit.may(.typesRead) else { return nil }
        let all = try await visit.read(LocalCall.path("v1", "types", type, "schemas")).at("schemas")?.objects ?? []
        let newest = all.max { ($0.at("pushedAt")?.string ?? "") < ($1.at("pushedAt")?.string ?? "") }
        return newest?.at("schema").flatMap { try? ActivitySchema(json: $0, type: type) }
    }
}
