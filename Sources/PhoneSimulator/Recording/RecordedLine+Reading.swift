import APNSWire
import EyotContract
import Foundation

// How lines are read. Unknown members are refused, so that a misspelt member in a line added by hand is not silently
// ignored.

extension RecordingHead {
    init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        guard try fields.required("recording", fields.integer("recording")) == Self.format else {
            throw fields.invalid("recording", "is a format that this version does not read; it reads \(Self.format)")
        }
        guard let os = IOSVersion(try fields.required("ios", fields.string("ios"))) else {
            throw fields.invalid("ios", "is no version of iOS, such as 18.1")
        }
        self.init(
            os: os, model: try fields.string("model"), bundleID: try fields.required("app", fields.string("app")),
            supportsFrequentUpdates: try fields.bool("supportsFrequentUpdates") ?? true)
        for (index, type) in (try fields.array("types") ?? []).enumerated() {
            types.append(try RecordedType(json: type, at: "types[\(index)]"))
        }
        try fields.finish()
    }
}

extension RecordedType {
    fileprivate init(json: JSONValue, at path: String) throws(JSONFieldError) {
        var fields = try JSONFields(json, at: path)
        name = try fields.required("name", fields.string("name"))
        schema = nil
        if let value = try fields.object("schema") { schema = try ActivitySchema(json: value, type: name) }
        try fields.finish()
    }
}

extension RecordedLine {
    init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        let time = try fields.required("time", fields.time("time"))
        let uptime = try fields.double("uptime")
        if let uptime, !(0...1e9).contains(uptime) { throw fields.invalid("uptime", "is no number of seconds") }
        let content: Content
        switch (fields.has("did"), fields.has("saw")) {
        case (true, false): content = .did(try RecordedAction(fields: &fields))
        case (false, true): content = .saw(try RecordedFact(fields: &fields))
        default: throw JSONFieldError(path: "", .invalid("has either did or saw"))
        }
        try fields.finish()
        self.init(time: time, uptime: uptime, content)
    }
}

extension RecordedAction {
    fileprivate init(fields: inout JSONFields) throws(JSONFieldError) {
        switch try fields.required("did", fields.string("did")) {
        case "launch":
            self = .launch(
                try fields.app(), activitiesEnabled: try fields.bool("activitiesEnabled") ?? true,
                frequentPushesEnabled: try fields.bool("frequentPushesEnabled") ?? true)
        case "move": self = .move(try fields.app())
        case "listen": self = .listen(try RecordedSequence(fields: &fields))
        case "request":
            self = .request(number: try fields.requestNumber(), try CardRequest(fields: &fields))
        case "update":
            self = .update(
                card: try fields.card(), try fields.required("content", fields.content()),
                alerts: try fields.bool("alert") ?? false, timestamp: try fields.time("timestamp"))
        case "end":
            self = .end(
                card: try fields.card(), try fields.content(), try fields.dismissal(),
                timestamp: try fields.time("timestamp"))
        case "push": self = .push(try RecordedPush(fields: &fields))
        case "dismiss": self = .person(.dismiss(card: try fields.card()))
        case "allow": self = .person(.allow)
        case "lock": self = .person(.lock)
        case "quit": self = .person(.quit)
        case "terminate": self = .person(.terminate)
        case "reboot": self = .person(.reboot)
        case "offline": self = .person(.offline)
        case "online": self = .person(.online)
        default: throw fields.invalid("did", "is nothing that a recording knows")
        }
    }
}

extension CardRequest {
    fileprivate init(fields: inout JSONFields) throws(JSONFieldError) {
        let updates: CardUpdates
        switch try fields.required("updates", fields.string("updates")) {
        case "local": updates = .local
        case "token": updates = .token
        case "channel": updates = .channel(try fields.required("channel", fields.string("channel")))
        default: throw fields.invalid("updates", "is local, token or channel")
        }
        self.init(
            type: try fields.required("type", fields.string("type")),
            attributes: try fields.required("attributes", fields.object("attributes")),
            content: try fields.required("content", fields.content()), updates: updates,
            startDate: try fields.time("start"), isFromIntent: try fields.bool("fromIntent") ?? false,
            isTransient: try fields.bool("transient") ?? false)
    }
}

extension RecordedPush {
    fileprivate init(fields: inout JSONFields) throws(JSONFieldError) {
        let destination: Destination
        switch try fields.required("to", fields.string("to")) {
        case "start": destination = .start
        case "card": destination = .card(try fields.card())
        case "channel": destination = .channel(try fields.required("channel", fields.string("channel")))
        default: throw fields.invalid("to", "is start, card or channel")
        }
        guard let priority = APNSPriority(rawValue: try fields.integer("priority") ?? 10) else {
            throw fields.invalid("priority", "is 1, 5 or 10")
        }
        self.init(
            to: destination, payload: try fields.required("payload", fields.object("payload")), priority: priority,
            expiration: try fields.integer("expiration"))
    }
}

extension RecordedFact {
    fileprivate init(fields: inout JSONFields) throws(JSONFieldError) {
        switch try fields.required("saw", fields.string("saw")) {
        case "granted":
            self = .granted(
                request: try fields.requestNumber(), card: try fields.card(),
                hasToken: try fields.bool("hasToken") ?? false)
        case "refused":
            self = .refused(
                request: try fields.requestNumber(), error: try fields.required("error", fields.string("error")))
        case "there": self = .there(type: try fields.type(), cards: try fields.strings("cards") ?? [])
        case "card": self = .card(type: try fields.type(), card: try fields.card())
        case "state":
            self = .phase(card: try fields.card(), try fields.required("state", fields.string("state")))
        case "content":
            self = .content(card: try fields.card(), try fields.required("content", fields.content()))
        case "token": self = .token(card: try fields.card(), try fields.token())
        case "startToken": self = .startToken(type: try fields.type(), try fields.token())
        case "activitiesEnabled": self = .activitiesEnabled(try fields.required("value", fields.bool("value")))
        case "frequentPushesEnabled":
            self = .frequentPushesEnabled(try fields.required("value", fields.bool("value")))
        case "over": self = .over(try RecordedSequence(fields: &fields))
        case "woken": self = .woken
        case "other": self = .other(try fields.required("words", fields.string("words")))
        default: throw fields.invalid("saw", "is nothing that a recording knows")
        }
    }
}

extension RecordedSequence {
    fileprivate init(fields: inout JSONFields) throws(JSONFieldError) {
        switch try fields.required("sequence", fields.string("sequence")) {
        case "cards": self = .cards(type: try fields.type())
        case "states": self = .phases(card: try fields.card())
        case "contents": self = .contents(card: try fields.card())
        case "tokens": self = .tokens(card: try fields.card())
        case "startTokens": self = .startTokens(type: try fields.type())
        case "activitiesEnabled": self = .activitiesEnabled
        case "frequentPushesEnabled": self = .frequentPushesEnabled
        default: throw fields.invalid("sequence", "is none that a recording knows")
        }
    }
}

extension JSONFields {
    fileprivate mutating func card() throws(JSONFieldError) -> String { try required("card", string("card")) }
    fileprivate mutating func type() throws(JSONFieldError) -> String { try required("type", string("type")) }
    fileprivate mutating func requestNumber() throws(JSONFieldError) -> Int {
        try required("request", integer("request"))
    }

    fileprivate mutating func time(_ name: String) throws(JSONFieldError) -> Date? {
        guard let text = try string(name) else { return nil }
        guard let date = RFC3339.date(from: text) else {
            throw invalid(name, "is no time, such as 2026-11-21T18:04:05Z")
        }
        return date
    }

    fileprivate mutating func app() throws(JSONFieldError) -> AppRun {
        guard let run = AppRun(rawValue: try required("app", string("app"))), run != .notRunning else {
            throw invalid("app", "is foreground or background")
        }
        return run
    }

    fileprivate mutating func content() throws(JSONFieldError) -> CardContent? {
        guard var content = try fields("content") else { return nil }
        let read = CardContent(
            state: try content.required("state", content.object("state")), staleDate: try content.time("staleDate"),
            relevanceScore: try content.double("relevanceScore") ?? 0)
        try content.finish()
        return read
    }

    fileprivate mutating func dismissal() throws(JSONFieldError) -> CardDismissal {
        switch try string("dismissal") {
        case "default", nil: .standard
        case "immediate": .immediate
        default: .after(try required("dismissal", time("dismissal")))
        }
    }

    fileprivate mutating func token() throws(JSONFieldError) -> ShortenedToken {
        guard let token = ShortenedToken(try required("token", string("token"))) else {
            throw invalid("token", "stands here whole: shorten it, since whoever has it can push to the phone")
        }
        return token
    }
}
