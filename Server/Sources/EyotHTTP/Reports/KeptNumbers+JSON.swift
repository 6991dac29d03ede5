import EyotContract
import EyotDomain

/// The parts of reports on activities and on types.
extension KeptNumbers {
    /// What Apple said of the pushes. It says nothing of screens.
    var accepted: JSONValue {
        let (all, starts, ends) = (total(.accepted), total(.started), total(.ended))
        return [
            "pushes": .integer(all), "starts": .integer(starts), "updates": .integer(max(0, all - starts - ends)),
            "ends": .integer(ends), "superseded": .integer(total(.superseded)),
            "refused": .counts(self[KeptCounter(.pushRefused)]),
            "unanswered": .integer(total(KeptCounter(.pushUnknown))),
            "age": ages(.acceptedAge, longest: .longestAccepted).report,
        ]
    }

    /// What Apple said of the broadcasts to channels. One broadcast reaches all cards that follow the channel.
    var broadcasts: JSONValue {
        [
            "accepted": .integer(total(KeptCounter(.broadcastAccepted))),
            "refused": .counts(self[KeptCounter(.broadcastRefused)]),
            "unanswered": .integer(total(KeptCounter(.broadcastUnknown))),
            "age": ages(.broadcastAge, longest: .longestBroadcast).report,
        ]
    }

    /// Alerts by what became of them.
    var alerts: JSONValue {
        [
            "given": .integer(total(.alertsGiven)), "expired": .integer(total(.alertsExpired)),
            "superseded": .integer(total(.alertsSuperseded)), "withoutRoom": .integer(total(.alertsWithoutRoom)),
        ]
    }

    /// Some numbers by properties of the phones.
    func dimensions(_ dimensions: [CountDimension] = CountDimension.allCases) -> JSONValue {
        .object(JSONObject(dimensions.map { ($0.rawValue, values(of: $0)) }))
    }

    private func values(of dimension: CountDimension) -> JSONValue {
        let columns = Self.divided.map { name, counters in
            (name, counters.map { self[$0.by(dimension)] }.reduce([:]) { $0.merging($1, uniquingKeysWith: +) })
        }
        let values = Set(columns.flatMap(\.1.keys)).sorted()
        return .object(
            JSONObject(
                values.map { value in
                    (value, .object(JSONObject(columns.map { ($0.0, .integer($0.1[value] ?? 0)) })))
                }))
    }

    /// The numbers by properties of phones, each with the counters that make it up.
    private static let divided: [(String, [KeptCounter])] = [
        ("targeted", [.eligible, .skipped]), ("eligible", [.eligible]), ("startsAccepted", [.started]),
        ("startsExpired", [KeptCounter(.startExpired)]), ("appeared", [KeptCounter(.cardAppeared)]),
        ("withToken", [.tokens]), ("updated", [.updated]), ("reporting", [.echoes]), ("shown", [.shown]),
        ("tapped", [.taps]), ("ended", [.over]), ("dismissed", [KeptCounter(.cardDismissed)]),
        ("lifetimeOver", [.lifetimeOver]), ("neverAllowed", [.neverAllowed]),
        ("refused", [KeptCounter(.pushRefused)]),
    ]
}

extension JSONValue {
    /// Numbers by name, the names in order.
    static func counts(_ counts: [String: Int]) -> JSONValue {
        .object(JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }))
    }

    /// Seconds, to the millisecond.
    static func seconds(_ seconds: Double?) -> JSONValue {
        seconds.flatMap { .finite(($0 * 1_000).rounded() / 1_000) } ?? .null
    }
}

extension AgeHistogram {
    private var total: Int { counts.reduce(0, +) }

    private var members: JSONObject {
        JSONObject([
            ("count", .integer(total)), ("p50", .seconds(quantile(0.5))), ("p95", .seconds(quantile(0.95))),
            ("p99", .seconds(quantile(0.99))), ("max", total > 0 ? .seconds(longest) : .null),
        ])
    }

    /// The ages in seconds; null without any.
    var quantiles: JSONValue { .object(members) }

    /// The ages, and how many of them were at most 5, 10 and 30 seconds.
    var report: JSONValue {
        var members = members
        for seconds in [5, 10, 30] { members["within\(seconds)s"] = .integer(count(within: Double(seconds))) }
        return .object(members)
    }

    /// How many records were surely at most this old. Records of a step that ends later do not count.
    private func count(within seconds: Double) -> Int {
        counts.enumerated().reduce(0) { sum, next in
            Self.upperBound(of: next.offset) <= seconds ? sum + next.element : sum
        }
    }
}
