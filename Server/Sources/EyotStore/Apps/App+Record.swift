import APNSWire
import EyotContract
import EyotDomain

extension App: SQLRecord {
    static let table = SQLTable(
        "apps", key: "id", fixed: ["created_at"],
        changing: [
            "bundle_id", "name", "public_key", "sandbox_pause_reason", "sandbox_pause_since", "production_pause_reason",
            "production_pause_since", "halted_at", "halted_types", "identity_mode", "opens_activities",
            "sandbox_resumed_at", "production_resumed_at", "sandbox_trials", "sandbox_tried_at", "production_trials",
            "production_tried_at", "open_names", "proof_terms", "removed_at",
            "sandbox_failing_reason", "sandbox_failing_since", "sandbox_failed_at", "production_failing_reason",
            "production_failing_since", "production_failed_at",
        ])

    var values: [SQLValue] {
        [
            SQLValue(id), SQLValue(createdAt), SQLValue(storedBundleID), SQLValue(name), SQLValue(publicKey),
            SQLValue(pauses[.sandbox]?.reason.name), SQLValue(pauses[.sandbox]?.since),
            SQLValue(pauses[.production]?.reason.name), SQLValue(pauses[.production]?.since), SQLValue(haltedAt),
            SQLValue(haltedTypesJSON),
            SQLValue(identityMode?.rawValue), SQLValue(opensActivities),
            SQLValue(renewedAt[.sandbox]), SQLValue(renewedAt[.production]),
            SQLValue(trials[.sandbox]?.count), SQLValue(trials[.sandbox]?.last),
            SQLValue(trials[.production]?.count), SQLValue(trials[.production]?.last), SQLValue(openNames.json),
            SQLValue(proofTerms.json), SQLValue(removedAt),
        ] + AppleFailure.values(failures[.sandbox]) + AppleFailure.values(failures[.production])
    }

    init(columns: inout SQLColumns) throws {
        let id = AppID(rawValue: try columns.number())
        let createdAt = try columns.moment()
        self.init(
            id: id, bundleID: try columns.text(), name: try columns.text(), publicKey: try columns.text(),
            createdAt: createdAt)
        pauses[.sandbox] = try AppPause(columns: &columns)
        pauses[.production] = try AppPause(columns: &columns)
        haltedAt = try columns.optionalMoment()
        for member in try columns.json().object?.members ?? [] {
            haltedTypes[member.name] = member.value.integer.map { Instant(microseconds: Int64($0)) }
        }
        identityMode = try columns.optionalWord()
        opensActivities = try columns.flag()
        restore(renewedAt: try columns.optionalMoment(), in: .sandbox)
        restore(renewedAt: try columns.optionalMoment(), in: .production)
        trials[.sandbox] = try Trials(columns: &columns)
        trials[.production] = try Trials(columns: &columns)
        openNames = Set(names: try columns.json())
        proofTerms = ProofTerms(json: try columns.json())
        removedAt = try columns.optionalMoment()
        failures[.sandbox] = try AppleFailure(columns: &columns)
        failures[.production] = try AppleFailure(columns: &columns)
        if removedAt != nil { bundleID = String(bundleID.dropFirst(removedPrefix.count)) }
    }

    /// The bundle id as it is stored. The prefix lets another app take the id while this one is being removed. No
    /// bundle id has a slash.
    private var storedBundleID: String { removedAt == nil ? bundleID : removedPrefix + bundleID }

    private var removedPrefix: String { "\(id.rawValue)/" }

    /// The halted types, each with the moment of its halt in microseconds.
    private var haltedTypesJSON: JSONValue {
        .object(
            JSONObject(
                haltedTypes.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int($0.value.microseconds))) }))
    }
}

extension AppPause {
    fileprivate init?(columns: inout SQLColumns) throws {
        let reason = try columns.optionalReason()
        let since = try columns.optionalMoment()
        guard let reason, let since else { return nil }
        self.init(reason: reason, since: since)
    }
}

extension AppleFailure {
    fileprivate static func values(_ failure: AppleFailure?) -> [SQLValue] {
        [SQLValue(failure?.reason?.name), SQLValue(failure?.since), SQLValue(failure?.last)]
    }

    fileprivate init?(columns: inout SQLColumns) throws {
        let reason = try columns.optionalReason()
        let since = try columns.optionalMoment()
        let last = try columns.optionalMoment()
        guard let since, let last else { return nil }
        self.init(reason: reason, since: since, last: last)
    }
}

extension Trials {
    fileprivate init?(columns: inout SQLColumns) throws {
        let count = try columns.optionalInteger()
        let last = try columns.optionalMoment()
        guard let count, let last else { return nil }
        self.init(count: count, last: last)
    }
}
