import EyotContract
import EyotDomain

/// A canary as one text, because it is read and written as a whole and never searched. Moments are in microseconds.
extension Canary {
    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("percent", .finite(terms.percent) ?? 0), ("maximumRefusals", .finite(terms.maximumRefusals) ?? 0),
            ("waitSeconds", .finite(terms.waitSeconds) ?? 0), ("version", .integer(version)),
            ("oldest", .integer(oldest)), ("upTo", .integer(upTo)), ("common", common.json),
            (
                "answers",
                .array([answers.accepted, answers.refused, answers.unknown, answers.aside].map { .integer($0) })
            ),
        ]
        switch stage {
        case .delivering(let until):
            members.append(("stage", "delivering"))
            if let until { members.append(("at", until.json)) }
        case .waiting(let until): members += [("stage", "waiting"), ("at", until.json)]
        case .passed(let at): members += [("stage", "passed"), ("at", at.json)]
        case .failed(let at, let halts): members += [("stage", "failed"), ("at", at.json), ("halts", .bool(halts))]
        }
        return .object(JSONObject(members))
    }

    fileprivate init?(json: JSONValue) {
        guard let object = json.object, let percent = object["percent"]?.double,
            let refusals = object["maximumRefusals"]?.double, let wait = object["waitSeconds"]?.double,
            let version = object["version"]?.integer, let oldest = object["oldest"]?.integer,
            let upTo = object["upTo"]?.integer, let common = object["common"].flatMap(CommonState.init(json:)),
            let answers = object["answers"]?.array?.compactMap(\.integer), answers.count == 4,
            let stage = Stage(object)
        else { return nil }
        self.init(
            terms: Terms(percent: percent, maximumRefusals: refusals, waitSeconds: wait), version: version,
            oldest: oldest,
            common: common)
        self.upTo = upTo
        self.stage = stage
        (self.answers.accepted, self.answers.refused, self.answers.unknown) = (answers[0], answers[1], answers[2])
        self.answers.aside = answers[3]
    }
}

extension Canary.Stage {
    fileprivate init?(_ object: JSONObject) {
        let moment = Instant(json: object["at"])
        switch (object["stage"]?.string, moment) {
        case ("delivering", _): self = .delivering(until: moment)
        case ("waiting", let until?): self = .waiting(until: until)
        case ("passed", let at?): self = .passed(at: at)
        case ("failed", let at?): self = .failed(at: at, halts: object["halts"]?.bool ?? false)
        default: return nil
        }
    }
}

extension CommonState {
    fileprivate var json: JSONValue {
        var object = JSONObject([
            ("state", .integer(state)), ("alert", .integer(alert)), ("urgent", .integer(urgent)),
        ])
        object["asOf"] = asOf?.json
        object["staleAt"] = staleAt?.json
        object["end"] = end.map { .integer($0) }
        return .object(object)
    }

    fileprivate init?(json: JSONValue) {
        guard let object = json.object, let state = object["state"]?.integer, let alert = object["alert"]?.integer,
            let urgent = object["urgent"]?.integer
        else { return nil }
        self.init()
        (self.state, self.alert, self.urgent) = (state, alert, urgent)
        (asOf, staleAt) = (Instant(json: object["asOf"]), Instant(json: object["staleAt"]))
        end = object["end"]?.integer
    }
}

extension Instant {
    fileprivate var json: JSONValue { .integer(Int(microseconds)) }

    fileprivate init?(json: JSONValue?) {
        guard let number = json?.integer else { return nil }
        self.init(microseconds: Int64(number))
    }
}

extension SQLColumns {
    /// Reads a canary from its text.
    func canary(_ json: JSONValue) throws -> Canary {
        guard let canary = Canary(json: json) else { throw unreadable("a canary") }
        return canary
    }
}
