import EyotContract
import Foundation

// How lines are written. `RecordedLine+Reading.swift` reads the same members.

extension RecordingHead {
    /// The format that this version writes and reads.
    static let format = 1

    /// The first line.
    public var json: JSONValue {
        var object = JSONObject([
            ("recording", .integer(Self.format)), ("ios", .string(os.description)), ("app", .string(bundleID)),
            ("supportsFrequentUpdates", .bool(supportsFrequentUpdates)),
        ])
        object["model"] = model.map(JSONValue.string)
        object["types"] = .array(types.map(\.json))
        return .object(object)
    }
}

extension RecordedType {
    fileprivate var json: JSONValue {
        var object = JSONObject([("name", .string(name))])
        object["schema"] = schema?.json
        return .object(object)
    }
}

extension RecordedLine {
    /// The line as an object.
    public var json: JSONValue {
        var object = JSONObject([("time", .string(RFC3339.text(of: time)))])
        object["uptime"] = uptime.flatMap { .finite(($0 * 1_000).rounded() / 1_000) }
        switch content {
        case .did(let action): action.write(to: &object)
        case .saw(let fact): fact.write(to: &object)
        }
        return .object(object)
    }
}

extension RecordedAction {
    fileprivate func write(to object: inout JSONObject) {
        object["did"] = .string(word)
        switch self {
        case .launch(let run, let activitiesEnabled, let frequentPushesEnabled):
            object["app"] = .string(run.rawValue)
            object["activitiesEnabled"] = .bool(activitiesEnabled)
            object["frequentPushesEnabled"] = .bool(frequentPushesEnabled)
        case .move(let run): object["app"] = .string(run.rawValue)
        case .listen(let sequence): sequence.write(to: &object)
        case .request(let number, let request):
            object["request"] = .integer(number)
            request.write(to: &object)
        case .update(let card, let content, let alerts, let timestamp):
            object["card"] = .string(card)
            object["content"] = content.json
            object["alert"] = alerts ? .bool(true) : nil
            object["timestamp"] = timestamp.map(JSONValue.text)
        case .end(let card, let content, let dismissal, let timestamp):
            object["card"] = .string(card)
            object["content"] = content?.json
            object["dismissal"] = dismissal.json
            object["timestamp"] = timestamp.map(JSONValue.text)
        case .push(let push): push.write(to: &object)
        case .person(.dismiss(let card)): object["card"] = .string(card)
        case .person: break
        }
    }

    /// The value of `did`.
    private var word: String {
        switch self {
        case .launch: "launch"
        case .move: "move"
        case .listen: "listen"
        case .request: "request"
        case .update: "update"
        case .end: "end"
        case .push: "push"
        case .person(let act): act.word
        }
    }
}

extension RecordedAct {
    fileprivate var word: String {
        switch self {
        case .dismiss: "dismiss"
        case .allow: "allow"
        case .lock: "lock"
        case .quit: "quit"
        case .terminate: "terminate"
        case .reboot: "reboot"
        case .offline: "offline"
        case .online: "online"
        }
    }
}

extension CardRequest {
    fileprivate func write(to object: inout JSONObject) {
        object["type"] = .string(type)
        object["attributes"] = attributes
        object["content"] = content.json
        switch updates {
        case .local: object["updates"] = "local"
        case .token: object["updates"] = "token"
        case .channel(let id):
            object["updates"] = "channel"
            object["channel"] = .string(id)
        }
        object["start"] = startDate.map(JSONValue.text)
        object["fromIntent"] = isFromIntent ? .bool(true) : nil
        object["transient"] = isTransient ? .bool(true) : nil
    }
}

extension RecordedPush {
    fileprivate func write(to object: inout JSONObject) {
        switch destination {
        case .start: object["to"] = "start"
        case .card(let id):
            object["to"] = "card"
            object["card"] = .string(id)
        case .channel(let id):
            object["to"] = "channel"
            object["channel"] = .string(id)
        }
        object["priority"] = .integer(priority.rawValue)
        object["expiration"] = expiration.map(JSONValue.integer)
        object["payload"] = payload
    }
}

extension RecordedFact {
    fileprivate func write(to object: inout JSONObject) {
        object["saw"] = .string(word)
        object["card"] = card.map(JSONValue.string)
        switch self {
        case .granted(let request, _, let hasToken):
            object["request"] = .integer(request)
            object["hasToken"] = .bool(hasToken)
        case .refused(let request, let error):
            object["request"] = .integer(request)
            object["error"] = .string(error)
        case .there(let type, let cards):
            object["type"] = .string(type)
            object["cards"] = .array(cards.map { .string($0) })
        case .card(let type, _): object["type"] = .string(type)
        case .phase(_, let name): object["state"] = .string(name)
        case .content(_, let content): object["content"] = content.json
        case .token(_, let token): object["token"] = .string(token.description)
        case .startToken(let type, let token):
            object["type"] = .string(type)
            object["token"] = .string(token.description)
        case .activitiesEnabled(let isOn), .frequentPushesEnabled(let isOn): object["value"] = .bool(isOn)
        case .over(let sequence): sequence.write(to: &object)
        case .woken: break
        case .other(let words): object["words"] = .string(words)
        }
    }

    /// The value of `saw`.
    private var word: String {
        switch self {
        case .granted: "granted"
        case .refused: "refused"
        case .there: "there"
        case .card: "card"
        case .phase: "state"
        case .content: "content"
        case .token: "token"
        case .startToken: "startToken"
        case .activitiesEnabled: "activitiesEnabled"
        case .frequentPushesEnabled: "frequentPushesEnabled"
        case .over: "over"
        case .woken: "woken"
        case .other: "other"
        }
    }
}

extension RecordedSequence {
    fileprivate func write(to object: inout JSONObject) {
        object["sequence"] = .string(word)
        switch self {
        case .cards(let type), .startTokens(let type): object["type"] = .string(type)
        case .phases(let card), .contents(let card), .tokens(let card): object["card"] = .string(card)
        case .activitiesEnabled, .frequentPushesEnabled: break
        }
    }

    /// The sequence in one word.
    public var word: String {
        switch self {
        case .cards: "cards"
        case .phases: "states"
        case .contents: "contents"
        case .tokens: "tokens"
        case .startTokens: "startTokens"
        case .activitiesEnabled: "activitiesEnabled"
        case .frequentPushesEnabled: "frequentPushesEnabled"
        }
    }
}

extension CardContent {
    fileprivate var json: JSONValue {
        var object = JSONObject([("state", state)])
        object["staleDate"] = staleDate.map(JSONValue.text)
        object["relevanceScore"] = relevanceScore == 0 ? nil : .finite(relevanceScore)
        return .object(object)
    }
}

extension CardDismissal {
    fileprivate var json: JSONValue {
        switch self {
        case .standard: "default"
        case .immediate: "immediate"
        case .after(let date): .text(date)
        }
    }
}

extension JSONValue {
    fileprivate static func text(_ date: Date) -> JSONValue { .string(RFC3339.text(of: date)) }
}
