import EyotCommands
import EyotContract
import EyotDomain

extension Overview {
    /// The overview as callers see it.
    var json: JSONValue {
        var object = JSONObject([
            ("at", .string(at.rfc3339)), ("running", .integer(running)), ("cards", .integer(cards)),
            ("isComplete", .bool(isComplete)), ("behindSeconds", .seconds(behindSeconds)),
        ])
        var ages = AgeHistogram()
        for report in activities { ages.add(report.ages) }
        object["stateAge"] = ages.quantiles
        object["shown"] = Self.shown(activities)
        object["accepted"] = .integer(activities.reduce(0) { $0 + $1.accepted })
        object["refused"] = .integer(activities.reduce(0) { $0 + $1.refused })
        object["activities"] = .array(activities.map(\.json))
        object["others"] = .array(
            others.map { group in
                var object = JSONObject([
                    ("name", .string(group.name)), ("activities", .integer(group.activities)),
                    ("cards", .integer(group.cards)),
                ])
                object["type"] = group.type.map(JSONValue.string)
                return .object(object)
            })
        object["planned"] = .array(planned.map(\.json))
        return .object(object)
    }

    fileprivate static func shown(_ reports: [RunningReport]) -> JSONValue {
        func sum(_ number: (RunningReport) -> Int) -> JSONValue { .integer(reports.reduce(0) { $0 + number($1) }) }
        return [
            "newest": sum(\.shown.newest), "reporting": sum(\.shown.reporting),
            "stale": sum(\.shown.stale),
            "unknown": sum { max(0, $0.cards - $0.shown.reporting) },
        ]
    }
}

extension Overview.Planned {
    fileprivate var json: JSONValue {
        var object = JSONObject([
            ("name", .string(activity.name)), ("generation", .integer(activity.generation)),
        ])
        object["type"] = activity.type.map(JSONValue.string)
        object["startsAt"] = activity.startsAt.map { .string($0.rfc3339) }
        object["starting"] = .integer(starting)
        return .object(object)
    }
}

extension RunningReport {
    fileprivate var json: JSONValue {
        var object = JSONObject([
            ("name", .string(activity.name)), ("generation", .integer(activity.generation)),
            ("version", .integer(activity.version)),
        ])
        object["type"] = activity.type.map(JSONValue.string)
        object["cards"] = .integer(cards)
        object["halt"] = halt?.json
        object["canary"] = activity.canary?.json
        object["behindSeconds"] = .seconds(behindSeconds)
        object["stateAge"] = ages.quantiles
        object["shown"] = Overview.shown([self])
        object["accepted"] = .integer(accepted)
        object["refused"] = .integer(refused)
        object["recent"] = .array(recent.map(JSONValue.seconds))
        object["declaredAt"] = declared.map { .string($0.acceptedAt.rfc3339) }
        object["operation"] = operation.map { .string(String($0.id)) }
        object["key"] = operation?.key.map { .string(String($0)) }
        object["keyName"] = key.map { .string($0.name) }
        return .object(object)
    }
}
