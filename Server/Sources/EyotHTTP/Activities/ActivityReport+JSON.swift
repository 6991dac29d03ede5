import EyotCommands
import EyotContract
import EyotDomain

extension ActivityReport {
    var json: JSONValue {
        var object = JSONObject([
            ("name", .string(activity.name)), ("generation", .integer(activity.generation)),
            ("version", .integer(activity.version)),
        ])
        object["type"] = activity.type.map(JSONValue.string)
        object["state"] = .string(activity.isEnded ? "ended" : activity.version == 0 ? "undeclared" : "active")
        object["public"] = activity.isPublic.map(JSONValue.bool)
        object["contentState"] = endedBy?.content.state ?? newest?.content.state
        object["stateVersion"] = (endedBy?.content.state == nil ? newest : endedBy).map { .integer($0.version) }
        object["asOf"] = activity.common.asOf.map { .string($0.rfc3339) }
        object["createdAt"] = .string(activity.createdAt.rfc3339)
        object["declaredAt"] = newest.map { .string($0.acceptedAt.rfc3339) }
        object["startsAt"] = activity.startsAt.map { .string($0.rfc3339) }
        object["endsAt"] = activity.endsAt.map { .string($0.rfc3339) }
        object["endedAt"] = activity.endedAt.map { .string($0.rfc3339) }
        object["halt"] = halt?.json
        object["canary"] = activity.canary?.json
        if !channels.isEmpty { object["channels"] = .array(channels.map { .object($0.json) }) }
        object["phases"] = .object(
            JSONObject(Replica.words.map { ($0, .integer(phases[$0] ?? 0)) }))
        object["notStarted"] = StartFailure.json(of: failures)
        object["deaths"] = .object(JSONObject(deaths.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }))
        var now = JSONObject([
            ("behind", .integer(behind)), ("maxSeconds", .milliseconds(behindSeconds) ?? 0),
        ])
        if isBehindEstimated { now["estimated"] = true }
        object["stateAge"] = ["now": .object(now), "caughtUp": activity.tally.ages.json]
        object["tally"] = activity.tally.json
        return .object(object)
    }
}

extension AgeHistogram {
    /// State age in seconds; null until a replica has caught up.
    fileprivate var json: JSONValue {
        let total = counts.reduce(0, +)
        let seconds = { (share: Double) in quantile(share).flatMap(JSONValue.milliseconds) ?? .null }
        return [
            "count": .integer(total), "p50": seconds(0.5), "p99": seconds(0.99),
            "max": total > 0 ? .milliseconds(longest) ?? .null : .null,
        ]
    }
}

extension JSONValue {
    /// Seconds, to the millisecond.
    fileprivate static func milliseconds(_ seconds: Double) -> JSONValue? {
        .finite((seconds * 1_000).rounded() / 1_000)
    }
}

extension Tally {
    fileprivate var json: JSONValue {
        var counts = JSONObject([
            ("started", .integer(started)), ("accepted", .integer(accepted)), ("ended", .integer(ended)),
            ("superseded", .integer(superseded)), ("alertsSuperseded", .integer(alertsSuperseded)),
            ("alertsExpired", .integer(alertsExpired)), ("refused", .integer(refused)), ("unknown", .integer(unknown)),
        ])
        counts["broadcasts"] = broadcasts.json
        return .object(counts)
    }
}

extension BroadcastCounts {
    /// Nil if Apple has answered no broadcast yet.
    var json: JSONValue? {
        guard self != BroadcastCounts() else { return nil }
        return ["accepted": .integer(accepted), "refused": .integer(refused), "unknown": .integer(unknown)]
    }
}

extension Halt {
    var json: JSONValue {
        var object = JSONObject([("by", .string(by.rawValue)), ("since", .string(since.rfc3339))])
        object["reason"] = reason.map(JSONValue.string)
        return .object(object)
    }
}
