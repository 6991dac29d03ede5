/// A request for the channel that a card of a name can follow. An app on iOS 18 or later sends it before it requests a
/// card with `pushType: .channel(…)`.
public struct ChannelQuestion: Sendable, Hashable {
    /// The activity's name.
    public var name: String
    /// The secret that lets the phone join a private activity; nil if the app has none.
    public var joinSecret: JoinSecret?

    /// Makes a question about an activity.
    public init(name: String, joinSecret: JoinSecret? = nil) {
        self.name = name
        self.joinSecret = joinSecret
    }

    /// Reads a request's body.
    public init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        name = try fields.identifier("name")
        joinSecret = try fields.joinSecret("joinSecret")
        try fields.finish()
    }

    /// The question as a request's body.
    public var json: JSONValue {
        var object = JSONObject([("name", .string(name))])
        object["joinSecret"] = joinSecret.map { .string($0.text) }
        return .object(object)
    }
}

/// The answer to a ``ChannelQuestion``.
public struct ChannelAdvice: Sendable, Hashable {
    /// Apple's id of the channel, in the form that ActivityKit takes.
    public var channel: String

    /// Makes an answer with a channel.
    public init(channel: String) { self.channel = channel }

    /// Reads an answer's body. Unknown members, which a newer server may add, are ignored.
    public init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        channel = try fields.identifier("channel")
    }

    /// The answer as a body.
    public var json: JSONValue { ["channel": .string(channel)] }
}
