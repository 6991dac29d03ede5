import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// Braze's four events of Live Activities, with the members that its Currents and its Snowflake share document.
///
/// Braze does not document the values of `live_activity_event_outcome`. They are Eyot's here: `accepted` by Apple,
/// `unknown` if Apple gave no answer, or the reason of its refusal.
enum BrazeEvents {
    static let form = VendorEvents(names: [
        VendorEvents.Name("users.behaviors.liveactivity.PushToStartTokenChange", startTokens),
        VendorEvents.Name("users.behaviors.liveactivity.UpdateTokenChange", tokens.subtracting(startTokens)),
        VendorEvents.Name("users.messages.liveactivity.Send", pushes),
        VendorEvents.Name("users.messages.liveactivity.Outcome", pushes),
    ]) { view, details in
        let kind = view.event.fact.kind
        return tokens.contains(kind) ? tokenChange(view, details) : pushes.contains(kind) ? push(view, details) : []
    }

    private static let startTokens: Set<EventKind> = [
        .startTokenSet, .startTokenReplaced, .startTokenRestored, .startTokenRemoved, .startTokenDead,
    ]
    /// Events after which the card's token leads to nothing any more.
    private static let ends: Set<EventKind> = [
        .cardDismissed, .cardEnded, .cardReplaced, .cardUnlisted, .cardWithdrawn, .updateTokenDead,
    ]
    private static let tokens = startTokens.union(ends).union([
        .updateTokenSet, .updateTokenReplaced, .updateTokenRestored,
    ])
    private static let starts: Set<EventKind> = [.startRefused, .startSuspected, .startUnknown]
    /// Events that tell of a push.
    private static let pushes = starts.union([.pushAccepted, .pushRefused, .pushUnknown])

    // MARK: Tokens

    private static func tokenChange(_ view: EventView, _ details: EventDetails) -> [VendorEvents.Line] {
        let isStart = startTokens.contains(view.event.fact.kind)
        var object = base(view, details, suffix: "")
        object["app_id"] = .string(details.bundleID)
        object["device_id"] = details.installation.map(JSONValue.string)
        if isStart {
            object["activity_attributes_type"] = details.type.map(JSONValue.string)
            object["push_to_start_token"] = view.shownToken
        } else {
            object["activity_id"] = view.activity.map { .string($0.name) }
            object["update_token"] = view.shownToken
        }
        object["ios_push_token_apns_gateway"] = details.environment.map { .integer($0 == .sandbox ? 1 : 2) }
        object["push_token_state_change_type"] = .string(change(view.event.fact.kind))
        return [line("behaviors", isStart ? "PushToStartTokenChange" : "UpdateTokenChange", object)]
    }

    private static func change(_ kind: EventKind) -> String {
        switch kind {
        case .startTokenReplaced, .updateTokenReplaced: "updated"
        case .startTokenRemoved, .startTokenDead: "removed"
        default: ends.contains(kind) ? "removed" : "added"
        }
    }

    // MARK: Pushes

    /// A push was sent, and has an outcome.
    private static func push(_ view: EventView, _ details: EventDetails) -> [VendorEvents.Line] {
        func object(_ suffix: String) -> JSONObject {
            var object = base(view, details, suffix: suffix)
            object["activity_id"] = view.activity.map { .string($0.name) }
            object["activity_attributes_type"] = details.type.map(JSONValue.string)
            object["live_activity_event_type"] = .string(type(of: view.event.fact, details))
            return object
        }
        var outcome = object("-outcome")
        outcome["live_activity_event_outcome"] = .string(Self.outcome(view.event.fact))
        return [line("messages", "Send", object("-send")), line("messages", "Outcome", outcome)]
    }

    /// What the push was: a start, an update or an end.
    private static func type(of fact: Fact, _ details: EventDetails) -> String {
        if fact.kind == .pushAccepted, let event = fact.reason { return event }
        return starts.contains(fact.kind) ? "start" : details.isEnd ? "end" : "update"
    }

    private static func outcome(_ fact: Fact) -> String {
        switch fact.kind {
        case .pushAccepted: "accepted"
        case .pushUnknown, .startUnknown: "unknown"
        default: fact.reason ?? "refused"
        }
    }

    private static func line(_ family: String, _ event: String, _ members: JSONObject) -> VendorEvents.Line {
        var object = members
        let name = "users.\(family).liveactivity.\(event)"
        object["event_type"] = .string(name)
        return VendorEvents.Line(name, .object(object))
    }

    /// The members of all four. Eyot knows people by your ids only, so `user_id` is that id, or the device's.
    private static func base(_ view: EventView, _ details: EventDetails, suffix: String) -> JSONObject {
        let device = view.event.device.map { "device-\($0.rawValue)" } ?? ""
        var object = JSONObject([
            ("id", .string("\(view.lineID)\(suffix)")), ("time", .integer(view.event.at.second)),
            ("user_id", .string(view.user ?? device)),
        ])
        object["external_user_id"] = view.user.map(JSONValue.string)
        return object
    }
}
