import EyotCommands
import EyotContract
import EyotDomain

extension TypeReport {
    /// The report as callers see it.
    ///
    /// - Parameter dimension: The property of phones by which each hour is divided too; nil for none.
    func json(by dimension: CountDimension? = nil) -> JSONValue {
        var object = JSONObject([
            ("type", .string(type)), ("since", .string(range.since.rfc3339)), ("until", .string(range.until.rfc3339)),
        ])
        for member in numbers.stages.members { object[member.name] = member.value }
        object["by"] = numbers.dimensions()
        object["hours"] = .array(
            spans.map { span, numbers in
                var entry = JSONObject([
                    ("at", .string(Instant(second: span.second).rfc3339)), ("seconds", .integer(span.width)),
                ])
                for member in numbers.stages.members { entry[member.name] = member.value }
                if let dimension { entry["by"] = numbers.dimensions([dimension]) }
                return .object(entry)
            })
        if !isKept {
            object["warnings"] = [
                .string("No numbers are kept of the type \(type), because no activity has had it. Check its name.")
            ]
        }
        return .object(object)
    }
}

extension KeptNumbers {
    /// The way of the cards of a type, what Apple accepted, what phones show, and alerts.
    fileprivate var stages: JSONObject {
        let skipped = self[.skipped]
        let (eligible, appeared) = (total(.eligible), total(KeptCounter(.cardAppeared)))
        return JSONObject([
            (
                "funnel",
                [
                    "targeted": .integer(eligible + skipped.values.reduce(0, +)), "eligible": .integer(eligible),
                    "skipped": .counts(skipped), "startsAccepted": .integer(total(.started)),
                    "startsExpired": .integer(total(KeptCounter(.startExpired))),
                    "startsRefused": .integer(total(KeptCounter(.startRefused))),
                    "appeared": .integer(appeared), "appearedByPush": .integer(total(.appearedByPush)),
                    "appearedByApp": .integer(appeared - total(.appearedByPush)),
                    "withToken": .integer(total(.tokens)), "updated": .integer(total(.updated)),
                    "reporting": .integer(total(.echoes)),
                    "shown": .integer(total(.shown)), "tapped": .integer(total(.taps)),
                    "ended": .integer(total(.over)),
                    "endedByPhone": .integer(total(KeptCounter(.cardEnded))),
                    "dismissed": .integer(total(KeptCounter(.cardDismissed))),
                    "lifetimeOver": .integer(total(.lifetimeOver)), "neverAllowed": .integer(total(.neverAllowed)),
                ]
            ),
            ("accepted", accepted), ("broadcasts", broadcasts),
            ("shownAge", ages(.shownAge, longest: .longestShown).report),
            ("alerts", alerts),
        ])
    }
}
