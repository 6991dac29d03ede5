import EyotCommands
import EyotContract
import EyotDomain

extension Adoption {
    /// The numbers as callers see them.
    var json: JSONValue {
        [
            "since": .string(range.since.rfc3339), "until": .string(range.until.rfc3339),
            "bucket": .string(bucket.rawValue), "points": .array(points.map { $0.json(days: bucket.days) }),
        ]
    }
}

extension Adoption.Point {
    fileprivate func json(days: Int) -> JSONValue {
        var object = JSONObject([
            ("at", .string(at.rfc3339)), ("seconds", .integer(days * CountSpan.day)),
        ])
        for level in AdoptionLevel.allCases { object[level.rawValue] = .integer(numbers.total(.adoption(level))) }
        object["by"] = .object(JSONObject(CountDimension.allCases.map { ($0.rawValue, values(of: $0)) }))
        return .object(object)
    }

    private func values(of dimension: CountDimension) -> JSONValue {
        let columns = AdoptionLevel.allCases.map { ($0.rawValue, numbers[KeptCounter.adoption($0).by(dimension)]) }
        let values = Set(columns.flatMap(\.1.keys)).sorted()
        return .object(
            JSONObject(
                values.map { value in
                    (value, .object(JSONObject(columns.map { ($0.0, .integer($0.1[value] ?? 0)) })))
                }))
    }
}
