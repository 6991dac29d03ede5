import EyotCommands
import EyotContract
import EyotDomain

extension CountReport {
    /// The report as callers see it.
    ///
    /// - Parameter hasSeries: Whether it has the numbers of each span of time.
    func json(hasSeries: Bool = true) -> JSONValue {
        var object = JSONObject([
            ("name", .string(subject.name)), ("generation", .integer(subject.generation)),
            ("version", .integer(subject.version)),
        ])
        object["type"] = subject.type.map(JSONValue.string)
        object["state"] = .string(isEnded ? "ended" : subject.version == 0 ? "undeclared" : "active")
        object["createdAt"] = .string(subject.createdAt.rfc3339)
        object["endedAt"] = subject.endedAt.map { .string($0.rfc3339) }
        object["keptSince"] = subject.keptSince.map { .string($0.rfc3339) }
        object["funnel"] = funnel
        object["cards"] = .object(
            JSONObject(Replica.words.map { ($0, .integer(numbers[.phase, $0])) }))
        object["accepted"] = accepted
        object["shown"] = shown
        object["dismissed"] = [
            "count": .integer(numbers.total(KeptCounter(.cardDismissed))),
            "afterVersion": .counts(numbers[.dismissedAfter]),
        ]
        object["alerts"] = [
            "given": .integer(numbers.total(.alertsGiven)), "expired": .integer(numbers.total(.alertsExpired)),
            "superseded": .integer(numbers.total(.alertsSuperseded)),
            "withoutRoom": .integer(numbers.total(.alertsWithoutRoom)),
        ]
        object["by"] = .object(JSONObject(CountDimension.allCases.map { ($0.rawValue, dimension($0)) }))
        if hasSeries { object["series"] = .array(spans.map { Self.entry($0.span, $0.numbers) }) }
        return .object(object)
    }

    /// The way of a card, from the call that wanted it to its end.
    private var funnel: JSONValue {
        let (eligible, skipped) = (numbers.total(.eligible), numbers[.skipped])
        let (appeared, byPush) = (numbers.total(KeptCounter(.cardAppeared)), numbers.total(.appearedByPush))
        let tokens = numbers.total(KeptCounter(.updateTokenSet)) - numbers.total(.tokenAgain)
        return [
            "targeted": .integer(eligible + skipped.values.reduce(0, +)), "eligible": .integer(eligible),
            "skipped": .counts(skipped), "startsAccepted": .integer(numbers.total(.started)),
            "startsExpired": .integer(numbers.total(KeptCounter(.startExpired))),
            "startsRefused": .integer(numbers.total(KeptCounter(.startRefused))),
            "appeared": .integer(appeared), "appearedByPush": .integer(byPush),
            "appearedByApp": .integer(appeared - byPush), "withToken": .integer(tokens),
            "reporting": .integer(numbers.total(.echoes)), "shown": .integer(showing { $0 > 0 }),
            "ended": .integer(numbers[.phase, "ended"]), "dismissed": .integer(numbers[.phase, "dismissed"]),
            "unlisted": .integer(numbers[.phase, "unlisted"]),
            "lifetimeOver": .integer(numbers.total(.lifetimeOver)),
            "neverAllowed": .integer(numbers.total(.neverAllowed)),
        ]
    }

    /// What Apple said of the pushes. It says nothing of screens.
    private var accepted: JSONValue {
        let (all, starts, ends) = (numbers.total(.accepted), numbers.total(.started), numbers.total(.ended))
        return [
            "pushes": .integer(all), "starts": .integer(starts), "updates": .integer(max(0, all - starts - ends)),
            "ends": .integer(ends), "superseded": .integer(numbers.total(.superseded)),
            "refused": .counts(numbers[KeptCounter(.pushRefused)]),
            "unanswered": .integer(numbers.total(KeptCounter(.pushUnknown))),
            "age": numbers.ages(.acceptedAge, longest: .longestAccepted).report,
        ]
    }

    /// What phones have reported of their cards. Cards of the other phones may show the same, or nothing.
    private var shown: JSONValue {
        let (reporting, appeared) = (numbers.total(.echoes), numbers.total(KeptCounter(.cardAppeared)))
        return [
            "reporting": .integer(reporting),
            "share": appeared == 0
                ? .null
                : .finite((Double(reporting) / Double(appeared) * 10_000).rounded() / 10_000)
                    ?? .null,
            "newest": .integer(showing { $0 >= subject.state && $0 > 0 }),
            "older": .integer(showing { $0 > 0 && $0 < subject.state }),
            "otherState": .integer(numbers[.showing, "0"] + numbers[.showing, KeptCounter.otherDetail]),
            "age": numbers.ages(.shownAge, longest: .longestShown).report,
        ]
    }

    private func showing(_ isWanted: (Int) -> Bool) -> Int {
        numbers[.showing].reduce(0) { sum, next in
            Int(next.key).map(isWanted) == true ? sum + next.value : sum
        }
    }

    private func dimension(_ dimension: CountDimension) -> JSONValue {
        let columns: [(String, [String: Int])] = [
            ("appeared", numbers[KeptCounter(.cardAppeared, by: dimension)]),
            ("reporting", numbers[.echoes(by: dimension)]),
            ("dismissed", numbers[KeptCounter(.cardDismissed, by: dimension)]),
            ("refused", numbers[KeptCounter(.pushRefused, by: dimension)]),
        ]
        let values = Set(columns.flatMap(\.1.keys)).sorted()
        return .object(
            JSONObject(
                values.map { value in
                    (value, .object(JSONObject(columns.map { ($0.0, .integer($0.1[value] ?? 0)) })))
                }))
    }

    private static func entry(_ span: CountSpan, _ numbers: KeptNumbers) -> JSONValue {
        [
            "at": .string(Instant(second: span.second).rfc3339), "seconds": .integer(span.width),
            "declared": .integer(numbers.total(KeptCounter(.activityDeclared))),
            "appeared": .integer(numbers.total(KeptCounter(.cardAppeared))),
            "dismissed": .integer(numbers.total(KeptCounter(.cardDismissed))),
            "accepted": .integer(numbers.total(.accepted)),
            "refused": .integer(numbers.total(KeptCounter(.pushRefused))),
            "reporting": .integer(numbers.total(.echoes)),
            "acceptedAge": numbers.ages(.acceptedAge, longest: .longestAccepted).quantiles,
            "shownAge": numbers.ages(.shownAge, longest: .longestShown).quantiles,
        ]
    }
}

extension JSONValue {
    /// Numbers by name, the names in order.
    fileprivate static func counts(_ counts: [String: Int]) -> JSONValue {
        .object(JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }))
    }

    /// Seconds, to the millisecond.
    fileprivate static func seconds(_ seconds: Double?) -> JSONValue {
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
    fileprivate var quantiles: JSONValue { .object(members) }

    /// The ages, and how many of them were at most 5, 10 and 30 seconds.
    fileprivate var report: JSONValue {
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
