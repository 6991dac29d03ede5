import EyotContract
import EyotDomain

/// The counts are read and written as a whole and never searched, so they are one text.
extension Tally {
    private static let counts: [(String, WritableKeyPath<Tally, Int> & Sendable)] = [
        ("started", \.started), ("accepted", \.accepted), ("ended", \.ended), ("superseded", \.superseded),
        ("alertsSuperseded", \.alertsSuperseded), ("alertsExpired", \.alertsExpired), ("refused", \.refused),
        ("unknown", \.unknown), ("broadcastsAccepted", \.broadcasts.accepted),
        ("broadcastsRefused", \.broadcasts.refused), ("broadcastsUnknown", \.broadcasts.unknown),
    ]

    var json: JSONValue {
        var members: [(String, JSONValue)] = Self.counts.compactMap { name, count in
            self[keyPath: count] == 0 ? nil : (name, .integer(self[keyPath: count]))
        }
        let filled = ages.counts.lastIndex { $0 > 0 }.map { ages.counts[...$0] } ?? []
        if !filled.isEmpty {
            members.append(("ages", .array(filled.map { .integer($0) })))
            members.append(("longest", .finite(ages.longest) ?? 0))
        }
        return .object(JSONObject(members))
    }

    init(json: JSONValue) {
        self.init()
        for (name, count) in Self.counts { self[keyPath: count] = json.object?[name]?.integer ?? 0 }
        ages = AgeHistogram(
            counts: (json.object?["ages"]?.array ?? []).map { $0.integer ?? 0 },
            longest: json.object?["longest"]?.double ?? 0)
    }
}
