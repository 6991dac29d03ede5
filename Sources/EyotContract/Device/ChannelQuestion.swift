/// An app with iOS 18 or later asks which channel a card of a name can follow, to request it with `pushType: .channel(…)`.
public struct ChannelQuestion: Sendable, Hashable {
    /// The activity's name.
    public var name: String
    /// What lets the phone join the activity, where that is private.
    public var joinSecret: JoinSecret?

    /// A question about an activity.
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

    /// A request's body.
    public var json: JSONValue {
        var object = JSONObject([("name", .string(name))])
        object["joinSecret"] = joinSecret.map { .string($0.text) }
        return .object(object)
    }
}

/// What the server says to a ``ChannelQuestion``.
public struct ChannelAdvice: Sendable, Hashable {
    /// Apple's id of the channel, as ActivityKit takes it.
    public var channel: String

    /// An answer with a channel.
    public init(channel: String) { self.channel = channel }

    /// Reads an answer's body. Members that it does not know are passed over.
    public init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        channel = try fields.identifier("channel")
    }

    /// An answer's body.
    public var json: JSONValue { ["channel": .string(channel)] }
}
