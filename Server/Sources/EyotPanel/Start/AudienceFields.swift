import EyotContract
import EyotDomain

/// The fields that choose an audience: a simple choice, or an expression in JSON.
enum AudienceFields {
    enum Kind: String, CaseIterable {
        case all, tag, segment, user, testDevice, json

        var title: String {
            switch self {
            case .all: "All devices with the app"
            case .tag: "A tag"
            case .segment: "A segment"
            case .user: "A user"
            case .testDevice: "A test device"
            case .json: "An expression, as JSON"
            }
        }
    }

    /// - Throws: ``FieldFaults``.
    static func audience(_ fields: FormFields) throws -> JSONValue {
        let kind = fields["audience.kind"].flatMap(Kind.init) ?? .all
        let value = fields["audience"]
        switch kind {
        case .all: return "all"
        case .json:
            guard let value, let json = try? JSONValue(parsing: Array(value.utf8)) else {
                throw FieldFaults(byField: ["audience": "is not valid JSON"])
            }
            return json
        case .tag, .segment, .user, .testDevice:
            guard let value else { throw FieldFaults(byField: ["audience": "is needed: the name or the id"]) }
            return .object(JSONObject([(kind.rawValue, .string(value))]))
        }
    }
}

/// What a count of an audience says.
struct AudienceCountView {
    let sentence: String
    let rows: [Funnel.Row]
    let isComplete: Bool

    init(_ json: JSONValue) {
        let (matched, users) = (json.count("matched"), json.count("users"))
        sentence = "\(Figures.count(matched)) devices of \(Figures.count(users)) users are in the audience."
        isComplete = json.at("isComplete")?.bool ?? true
        var steps = [Funnel.Step(name: "In the audience", count: matched)]
        if let eligible = json.at("eligible")?.integer {
            steps.append(Funnel.Step(name: "Would get a card", count: eligible, tone: .good))
        }
        steps += (json.at("skipped")?.object?.members ?? []).map {
            Funnel.Step(name: CardWords.meaning(ofReason: $0.name), count: $0.value.integer ?? 0, tone: .warn)
        }
        rows = Funnel(steps: steps).rows
    }
}
