import EyotContract
import EyotDomain

extension Operation: SQLRecord {
    static let table = SQLTable(
        "operations", key: "id",
        fixed: [
            "app", "verb", "name", "activity", "generation", "version", "outcome", "accepted_at", "as_of",
            "warnings", "counts_before", "key_id", "source", "request", "callers_request",
        ], changing: ["starting", "skipped", "members", "pending", "completed_at", "superseded_by", "counts_after"])

    var values: [SQLValue] {
        [
            .integer(id), SQLValue(app), SQLValue(verb.rawValue), SQLValue(name),
            SQLValue(activity), SQLValue(generation), SQLValue(version),
            SQLValue(outcome.rawValue), SQLValue(acceptedAt), SQLValue(asOf),
            SQLValue(JSONValue.array(warnings.map(JSONValue.string))), SQLValue(before.text),
            SQLValue(key), SQLValue(source), SQLValue(request?.own), SQLValue(request?.callers), SQLValue(starting),
            SQLValue(skippedJSON), SQLValue(members), SQLValue(pending), SQLValue(completion?.at),
            SQLValue(completion?.supersededBy), SQLValue(completion?.after.text),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = try columns.number()
        self.init(
            app: AppID(rawValue: try columns.number()), verb: try columns.word(), name: try columns.text(),
            activity: try columns.optionalNumber().map(ActivityID.init(rawValue:)),
            generation: try columns.integer(), version: try columns.integer(), outcome: try columns.word(),
            acceptedAt: try columns.moment())
        self.id = id
        asOf = try columns.optionalMoment()
        warnings = try columns.json().array?.compactMap(\.string) ?? []
        before = try columns.counts(try columns.text())
        key = try columns.optionalNumber()
        source = try columns.optionalText()
        request = try columns.requestID()
        starting = try columns.integer()
        for member in try columns.json().object?.members ?? [] {
            if let failure = StartFailure(rawValue: member.name) { skipped[failure] = member.value.integer }
        }
        members = try columns.optionalInteger()
        pending = try columns.integer()
        let completedAt = try columns.optionalMoment()
        let supersededBy = try columns.optionalInteger()
        let after = try columns.optionalText().map { try columns.counts($0) }
        if let completedAt, let after {
            completion = OperationCompletion(at: completedAt, supersededBy: supersededBy, after: after)
        }
    }

    private var skippedJSON: JSONValue {
        .object(
            JSONObject(
                StartFailure.allCases.compactMap { failure in
                    skipped[failure].map { (failure.rawValue, .integer($0)) }
                }))
    }
}

/// An array of numbers in JSON, read and written without the JSON parser, because each update does so three times.
extension DeliveryCounts {
    fileprivate var text: String {
        var text: [UInt8] = []
        let pushes = [accepted, refused, unknown, superseded]
        NumberList(separator: ",").append(
            pushes + [broadcasts.accepted, broadcasts.refused, broadcasts.unknown], to: &text)
        text[0] = UInt8(ascii: "[")
        text.append(UInt8(ascii: "]"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil if the text is not such an array.
    fileprivate init?(text: String) {
        self.init()
        guard text.hasPrefix("["), text.hasSuffix("]"), case let list = "," + text.dropFirst().dropLast(),
            let counts = NumberList(separator: ",").numbers(in: list.utf8), counts.count == 7
        else { return nil }
        (accepted, refused, unknown, superseded) = (counts[0], counts[1], counts[2], counts[3])
        (broadcasts.accepted, broadcasts.refused, broadcasts.unknown) = (counts[4], counts[5], counts[6])
    }
}

extension SQLColumns {
    fileprivate func counts(_ text: String) throws -> DeliveryCounts {
        guard let counts = DeliveryCounts(text: text) else { throw unreadable("counts") }
        return counts
    }
}
