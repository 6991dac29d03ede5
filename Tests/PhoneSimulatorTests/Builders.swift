import APNSWire
import EyotContract
import Foundation
import PhoneSimulator

/// 2022-12-18T15:00:00Z, kick-off.
let kickOff = Date(timeIntervalSince1970: 1_671_375_600)

/// A moment, in seconds after kick-off.
func at(_ seconds: TimeInterval) -> Date { kickOff.addingTimeInterval(seconds) }

let hour: TimeInterval = 3_600
let bundleID = "dev.eyot.matchday"
let topic = "dev.eyot.matchday.push-type.liveactivity"

/// Makes a phone with a content state `{"score": "…"}`. Its app has the type `Match`.
func configuration(
    _ id: String = "phone-1", os: IOSVersion = IOSVersion(26), environment: PushEnvironment = .production,
    settings: PhoneSettings = PhoneSettings(), change: (inout PhoneRules) -> Void = { _ in }
) -> PhoneConfiguration {
    var rules = PhoneRules()
    change(&rules)
    let match = PayloadCheck(
        type: "Match",
        attributes: { $0.object?["home"]?.string == nil ? "home: is missing" : nil },
        contentState: { $0.object?["score"]?.string == nil ? "score: is missing" : nil })
    return PhoneConfiguration(
        id: id, os: os, bundleID: bundleID, environment: environment, seed: 7, types: [match], settings: settings,
        rules: rules)
}

/// A phone with a launched app.
func launchedPhone(
    os: IOSVersion = IOSVersion(26), settings: PhoneSettings = PhoneSettings(),
    change: (inout PhoneRules) -> Void = { _ in }
) -> PhoneState {
    var phone = PhoneState(configuration(os: os, settings: settings, change: change))
    phone.launch(now: kickOff)
    return phone
}

/// The `aps` of a start, an update or an end at a moment; `extra` replaces members, `null` removes them.
func payload(
    _ event: String, at moment: TimeInterval, score: String? = "0-0", extra: [(String, JSONValue)] = []
) -> [UInt8] {
    var aps = JSONObject([("timestamp", .integer(Int(at(moment).timeIntervalSince1970))), ("event", .string(event))])
    aps["content-state"] = score.map { ["score": .string($0)] }
    if event == "start" {
        aps["attributes-type"] = "Match"
        aps["attributes"] = ["home": "Argentina"]
        aps["alert"] = ["title": "Kick-off", "body": "Argentina – France"]
    }
    for (name, value) in extra { aps[name] = value == .null ? nil : value }
    return JSONValue.object(JSONObject([("aps", .object(aps))])).utf8
}

func push(
    _ token: PushToken, _ payload: [UInt8], topic: String = topic, priority: APNSPriority = .considerate,
    expiration: Int? = nil
) -> DeliveredPush {
    DeliveredPush(token: token, topic: topic, priority: priority, expiration: expiration, payload: payload)
}

/// The id of a channel, as Apple makes them.
let final = "dGhlIGZpbmFs"

func broadcast(
    _ payload: [UInt8], on channel: String = final, keepsNewest: Bool = true, priority: APNSPriority = .considerate,
    expiration: Int? = nil
) -> DeliveredPush {
    DeliveredPush(
        channel: channel, keepsNewest: keepsNewest, bundleID: bundleID, priority: priority, expiration: expiration,
        payload: payload)
}

extension JSONValue {
    /// UNIX seconds of a moment.
    static func unix(_ seconds: TimeInterval) -> JSONValue { .integer(Int(at(seconds).timeIntervalSince1970)) }
}

extension PhoneState {
    /// The score that the first card shows.
    var score: String? { cards.first?.content.state.object?["score"]?.string }

    /// A start by push at kick-off or later.
    mutating func start(at moment: TimeInterval = 0, extra: [(String, JSONValue)] = []) throws -> PushEffect {
        let token = try required(startToken)
        return receive(push(token, payload("start", at: moment, extra: extra)), now: at(moment))
    }

    /// A change of the first card by push.
    mutating func change(
        _ event: String, stamped: TimeInterval, arriving: TimeInterval, score: String? = "1-0",
        priority: APNSPriority = .considerate, extra: [(String, JSONValue)] = []
    ) throws -> PushEffect {
        let token = try required(cards.first?.updateToken)
        let body = payload(event, at: stamped, score: score, extra: extra)
        return receive(push(token, body, priority: priority), now: at(arriving))
    }

    /// A local start, and a look afterwards that brings the token.
    mutating func requestLocally(at moment: TimeInterval = 0, score: Double = 0) throws -> String {
        let id = try request(
            CardRequest(
                type: "Match", attributes: ["home": "Argentina"],
                content: CardContent(state: ["score": "0-0"], relevanceScore: score), updates: .token),
            now: at(moment))
        advance(to: at(moment))
        return id
    }
}

struct Missing: Error {}

func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}
