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
        object["accepted"] = numbers.accepted
        object["broadcasts"] = numbers.broadcasts
        object["shown"] = shownNow
        object["dismissed"] = [
            "count": .integer(numbers.total(KeptCounter(.cardDismissed))),
            "afterVersion": .counts(numbers[.dismissedAfter]),
        ]
        object["alerts"] = numbers.alerts
        object["by"] = numbers.dimensions()
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
            "updated": .integer(numbers.total(.updated)),
            "reporting": .integer(numbers.total(.echoes)), "shown": .integer(numbers.total(.shown)),
            "tapped": .integer(numbers.total(.taps)),
            "ended": .integer(numbers[.phase, "ended"]), "dismissed": .integer(numbers[.phase, "dismissed"]),
            "unlisted": .integer(numbers[.phase, "unlisted"]),
            "lifetimeOver": .integer(numbers.total(.lifetimeOver)),
            "neverAllowed": .integer(numbers.total(.neverAllowed)),
        ]
    }

    /// What phones have reported of their cards. Cards of the other phones may show the same, or nothing.
    private var shownNow: JSONValue {
        let (reports, appeared) = (numbers.total(.echoes), numbers.total(KeptCounter(.cardAppeared)))
        let running = Replica.runningWords.reduce(0) { $0 + numbers[.phase, $1] }
        return [
            "reporting": .integer(shown.reporting),
            "share": appeared == 0
                ? .null
                : .finite((Double(reports) / Double(appeared) * 10_000).rounded() / 10_000)
                    ?? .null,
            "newest": .integer(shown.newest), "older": .integer(shown.older), "otherState": .integer(shown.otherState),
            "stale": .integer(shown.stale),
            "unknown": .integer(max(0, running - shown.reporting)),
            "age": numbers.ages(.shownAge, longest: .longestShown).report,
        ]
    }

    private static func entry(_ span: CountSpan, _ numbers: KeptNumbers) -> JSONValue {
        [
            "at": .string(Instant(second: span.second).rfc3339), "seconds": .integer(span.width),
            "declared": .integer(numbers.total(KeptCounter(.activityDeclared))),
            "appeared": .integer(numbers.total(KeptCounter(.cardAppeared))),
            "dismissed": .integer(numbers.total(KeptCounter(.cardDismissed))),
            "accepted": .integer(numbers.total(.accepted)),
            "refused": .integer(numbers.total(KeptCounter(.pushRefused))),
            "reporting": .integer(numbers.total(.echoes)), "tapped": .integer(numbers.total(.taps)),
            "broadcasts": .integer(numbers.total(KeptCounter(.broadcastAccepted))),
            "acceptedAge": numbers.ages(.acceptedAge, longest: .longestAccepted).quantiles,
            "shownAge": numbers.ages(.shownAge, longest: .longestShown).quantiles,
        ]
    }
}
