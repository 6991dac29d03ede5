import EyotContract
import EyotDomain
import EyotHTTP

/// What the form for a start shows.
struct StartView {
    let token: String
    let action: String
    let app: String
    let appParameter: String?
    let type: String
    let hasType: Bool
    let types: [String]
    let definition: String?
    /// The definition's name as the page draws it.
    let shownDefinition: String?
    let definitions: [UpdateView.Choice]
    let hasDefinitions: Bool
    let parameters: [SchemaForm.FieldView]
    let attributes: Part
    let state: Part
    let alert: [SchemaForm.FieldView]
    let name: String
    let nameFault: String?
    let kinds: [UpdateView.Choice]
    let audience: String
    let audienceFault: String?
    let segments: [String]
    let isRunning: Bool
    let fault: String?
    let remedy: String?
    let conflict: String?
    let hasChanges = false
    let back: String
    let sent: String?
    let dryRun: DryRunView?
    let count: AudienceCountView?
    let isProduction: Bool

    /// Fields under one heading.
    struct Part {
        var fields: [SchemaForm.FieldView]
    }

    init(_ draft: StartPage.Draft, for visit: Visit) {
        token = visit.member.formToken
        (action, back) = (visit.link("/panel/start"), visit.link("/panel"))
        app = visit.seat.app.name
        appParameter = visit.member.seats.count > 1 ? visit.seat.app.bundleID : nil
        (type, hasType) = (draft.type ?? "", draft.type != nil || draft.definition != nil)
        types = draft.types
        (definition, shownDefinition) = (draft.definition, draft.definition.map { Shown.line($0) })
        definitions = draft.definitions.map {
            UpdateView.Choice(name: $0, title: Shown.line($0), isChosen: $0 == draft.definition)
        }
        hasDefinitions = !definitions.isEmpty
        let (typed, faults) = (draft.typed, draft.fault.fields)
        let example = JSONValue.object(
            JSONObject(
                (draft.chosen?.at("parameters")?.object?.members ?? []).map {
                    ($0.name, $0.value.at("default") ?? .null)
                }))
        parameters =
            draft.definition == nil
            ? [] : SchemaForm("parameters", nil).view(example, typed: typed, faults: faults).map(Self.ofDefinition)
        attributes = Part(fields: draft.attributes.view(nil, typed: typed, faults: faults))
        state = Part(fields: draft.state.view(nil, typed: typed, faults: faults))
        alert = AlertFields.view(typed, faults)
        (name, nameFault) = (typed?["name"] ?? "", faults.byField["name"])
        let kind = typed?["audience.kind"] ?? "all"
        kinds = AudienceFields.Kind.allCases.map {
            .init(name: $0.rawValue, title: $0.title, isChosen: $0.rawValue == kind)
        }
        (audience, audienceFault) = (typed?["audience"] ?? "", faults.byField["audience"])
        segments = draft.segments
        isRunning = typed?["running"] != nil
        let isConflict = draft.fault.isConflict
        fault =
            isConflict
            ? "An activity of this name runs already. To add cards to it, choose that below."
            : draft.fault.sentence.map { Shown.line($0) }
        remedy = isConflict ? nil : draft.fault.remedy
        (conflict, sent) = (nil, nil)
        (dryRun, count) = (draft.dryRun, draft.count)
        isProduction = visit.standing.isProduction
    }

    private static func ofDefinition(_ field: SchemaForm.FieldView) -> SchemaForm.FieldView {
        var field = field
        (field.title, field.fieldHint) = ("Parameters", "the values of the definition, as JSON")
        return field
    }
}
